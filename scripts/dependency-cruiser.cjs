/**
 * The direction of imports: main → app → http → router → slices → {rpc, webhooks/append, banks/port} → db → kernel. The back
 * office and the command line are above the slices; app.ts registers the back office with the HTTP layer, which does not import
 * it. Every file may import the types of `src/deps.ts`, and nothing else from it.
 */
const SLICES =
  'payments|merchants|leads|banks|webhooks|retention|installation|audit|erasure|search|requests|checkout';
const WEB = '^src/backoffice/web/';
const COMPOSITION = String.raw`^src/(bin|main|app|app-sandbox|app-workers|demo|cli)\.ts$|^src/cli/`;
const TYPES_FOR_ALL = String.raw`^src/(deps|config)\.ts$`;

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });
const src = (names) => `^src/(${names})/`;

/** Project files outside these folders, except the types that every file may import. */
const elseThan = (...folders) => ({
  path: '^src/',
  pathNot: [...folders.map((folder) => `^src/${folder}/`), TYPES_FOR_ALL],
});

module.exports = {
  forbidden: [
    rule(
      'no-cycles',
      'Modules that import each other are one module, or lack a third. Exceptions: the world of each of these scripts.',
      { pathNot: '^scripts/(sim|demo|bench)/' },
      { circular: true },
    ),
    rule(
      'kernel-is-the-bottom',
      'The kernel imports nothing of ours.',
      { path: src('kernel') },
      { path: '^src/', pathNot: '^src/kernel/' },
    ),
    rule(
      'db-knows-the-kernel',
      'The database imports the kernel alone.',
      { path: src('db') },
      elseThan('db', 'kernel'),
    ),
    rule(
      'rpc-knows-db-and-kernel',
      'The tRPC base serves the slices and knows none.',
      { path: src('rpc') },
      elseThan('rpc', 'db', 'kernel'),
    ),
    rule(
      'sandbox-is-a-bank',
      'The simulated bank imports the kernel alone, not even our types: it stands for another company.',
      { path: src('sandbox') },
      { path: '^src/', pathNot: ['^src/sandbox/', '^src/kernel/'] },
    ),
    rule(
      'sandbox-is-reached-by-http',
      'Only the composition starts the simulated bank; everybody else talks to it over its wire.',
      { path: '^src/', pathNot: ['^src/sandbox/', String.raw`^src/app(-sandbox)?\.ts$`] },
      { path: src('sandbox') },
    ),
    rule(
      'slices-keep-apart',
      'A slice imports another only where the picture shows it.',
      { path: src(SLICES), pathNot: '^src/(payments|erasure|checkout)/' },
      {
        path: src(SLICES),
        pathNot: [
          '^src/$1/',
          String.raw`^src/(webhooks/append|banks/port|banks/settlement-port|audit/store|search/find|search/text)\.ts$`,
          String.raw`prune-store\.ts$`,
        ],
      },
    ),
    rule(
      'payments-and-other-slices',
      'Payments write leads and read store domains, and import nothing else of the other slices.',
      { path: '^src/payments/' },
      {
        path: src(SLICES),
        pathNot: [
          '^src/payments/',
          String.raw`^src/(webhooks/append|banks/port|banks/settlement-port|audit/store|leads/record|merchants/store-domain|merchants/store)\.ts$`,
        ],
      },
    ),
    rule(
      'checkout-imports',
      'The checkout sells through the verbs of payments; of merchants it reads the row and the domains.',
      { path: '^src/checkout/' },
      {
        path: src(SLICES),
        pathNot: [
          '^src/(checkout|payments)/',
          String.raw`^src/(banks/acquirers|audit/store|merchants/store-domain|merchants/store)\.ts$`,
        ],
      },
    ),
    rule(
      'slices-look-down',
      'The edge, the plugins and the composition root import the slices, never the other way round.',
      { path: src(SLICES), pathNot: String.raw`^src/checkout/(page/|push-limits\.ts)` },
      {
        path: String.raw`^src/(http/|docs/|backoffice/|cli/|bin\.ts|main\.ts|app\.ts|app-sandbox\.ts|app-workers\.ts|demo\.ts|cli\.ts|router\.ts|log\.ts)`,
      },
    ),
    rule(
      'backoffice-is-a-plugin',
      'The edge and the merchant API do not import the back office: app.ts passes its plugin to them.',
      { path: String.raw`^src/(http/|rpc/|db/|router\.ts)` },
      { path: '^src/backoffice/' },
    ),
    rule(
      'backoffice-uses-verbs',
      'The back office calls the verbs of the slices and tools of the edge; it knows nothing of what puts the parts together.',
      { path: '^src/backoffice/' },
      { path: String.raw`^src/(router|log)\.ts$` },
    ),
    rule(
      'web-knows-types',
      'What runs in the browser takes the types of the server, and of values only those of the kernel.',
      { path: WEB },
      { path: '^src/', pathNot: [WEB, '^src/kernel/'], dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'web-stays-in-the-browser',
      'The service shows the built pages; it imports nothing of their source.',
      { path: '^src/', pathNot: WEB },
      { path: WEB },
    ),
    rule(
      'client-knows-types',
      'What integrators import takes types of the contract and no code of the server, nor of any package.',
      { path: '^src/client/' },
      { pathNot: '^src/client/', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'client-stays-outside',
      'The service does not call itself: nothing of the server imports the client.',
      { path: '^src/', pathNot: '^src/client/' },
      { path: '^src/client/' },
    ),
    rule(
      'router-is-a-list',
      'The table of contents imports routers and the tRPC base.',
      { path: String.raw`^src/router\.ts$` },
      { path: '^src/', pathNot: [String.raw`^src/(${SLICES})/router\.ts$`, '^src/rpc/'] },
    ),
    rule(
      'composition-is-the-top',
      'No lower folder imports the files that assemble the service.',
      { path: '^src/', pathNot: COMPOSITION },
      { path: COMPOSITION },
    ),
    rule(
      'app-is-below-main',
      'The composition root knows neither the command line nor the start.',
      { path: String.raw`^src/app\.ts$` },
      { path: String.raw`^src/(bin|main|demo|cli)\.ts$|^src/cli/` },
    ),
    rule(
      'deps-and-settings-are-handed-down',
      'Only the composition makes the dependencies and reads the settings; all other files import their types.',
      { path: '^src/', pathNot: COMPOSITION },
      { path: TYPES_FOR_ALL, dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'queries-in-stores',
      'Queries are built in store files and in the database folder.',
      {
        path: '^src/',
        pathNot: ['^src/(db|installation)/', String.raw`store\.ts$`],
      },
      { path: '(^|/)node_modules/(kysely|better-sqlite3)/', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'nothing-for-development-only',
      'What runs in production is a dependency, not a devDependency; the pages are built beforehand.',
      { path: '^src/', pathNot: WEB },
      { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'resolvable',
      'Every import resolves, except packages that a benchmark installs by itself.',
      { pathNot: '^scripts/bench/peers/' },
      { couldNotResolve: true },
    ),
    rule(
      'support-is-shared',
      'The tools of the tests and the scripts know no suite. Exception: the crash test runs commands as the tests of the command line do.',
      { path: '^(test/support|scripts)/', pathNot: '^scripts/crash/' },
      { path: '^test/', pathNot: '^test/support/' },
    ),
    rule(
      'tests-stay-outside',
      'The service does not import its tests and scripts.',
      { path: '^src/' },
      { path: '^(test|scripts)/' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^src/backoffice/web/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
