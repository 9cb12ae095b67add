/**
 * The direction of imports: main → app → http → router → slices → {rpc, webhooks/append, banks/port} → db → kernel. The back
 * office and the command line are above the slices; app.ts registers the back office with the HTTP layer, which does not import
 * it. Every file may import the types of `src/deps.ts`, and nothing else from it. `npm run check` prints a rule's text with each
 * violation.
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
      'Join files that import each other, or move what both need to a third file.',
      // The scenarios of these scripts share one world, whose parts know each other.
      { pathNot: '^scripts/(sim|demo|bench)/' },
      { circular: true },
    ),
    rule(
      'kernel-is-the-bottom',
      'The kernel imports no other folder. Pass the value as a parameter, or move the file to a slice.',
      { path: src('kernel') },
      { path: '^src/', pathNot: '^src/kernel/' },
    ),
    rule(
      'db-knows-the-kernel',
      'The database imports only the kernel. SQL of a slice belongs in a store file of that slice.',
      { path: src('db') },
      elseThan('db', 'kernel'),
    ),
    rule(
      'rpc-knows-db-and-kernel',
      'rpc imports only db and kernel, because every slice imports it.',
      { path: src('rpc') },
      elseThan('rpc', 'db', 'kernel'),
    ),
    rule(
      'sandbox-is-a-bank',
      'The simulated bank imports only the kernel, and no types of the service either: it stands for another company. Repeat the type.',
      { path: src('sandbox') },
      { path: '^src/', pathNot: ['^src/sandbox/', '^src/kernel/'] },
    ),
    rule(
      'sandbox-is-reached-by-http',
      'Only app.ts and app-sandbox.ts start the simulated bank. Other files call it over HTTP.',
      { path: '^src/', pathNot: ['^src/sandbox/', String.raw`^src/app(-sandbox)?\.ts$`] },
      { path: src('sandbox') },
    ),
    rule(
      'slices-keep-apart',
      'A slice imports of another only the files listed in this rule. Call both slices from a file above them (back office, command line, app.ts), or pass the function in from app.ts.',
      { path: src(SLICES), pathNot: '^src/(payments|erasure|checkout)/' },
      {
        path: src(SLICES),
        pathNot: [
          '^src/$1/',
          String.raw`^src/(webhooks/append|banks/port|banks/settlement-port|audit/store|merchants/store|search/find|search/text)\.ts$`,
          String.raw`prune-store\.ts$`,
        ],
      },
    ),
    rule(
      'payments-and-other-slices',
      'Payments import of other slices only the files listed in this rule. Pass the function in from app.ts.',
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
      'The checkout imports payments, and of other slices only the files listed in this rule. Pass the function in from app.ts.',
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
      'A slice imports nothing from http, docs, backoffice, cli and the files that assemble the service. Move what both need down to the slice or the kernel.',
      { path: src(SLICES), pathNot: String.raw`^src/checkout/(page/|push-limits\.ts)` },
      {
        path: String.raw`^src/(http/|docs/|backoffice/|cli/|bin\.ts|main\.ts|app\.ts|app-sandbox\.ts|app-workers\.ts|demo\.ts|cli\.ts|router\.ts|log\.ts)`,
      },
    ),
    rule(
      'backoffice-is-a-plugin',
      'http, rpc, db and router.ts do not import the back office: app.ts passes its plugin to them.',
      { path: String.raw`^src/(http/|rpc/|db/|router\.ts)` },
      { path: '^src/backoffice/' },
    ),
    rule(
      'backoffice-uses-verbs',
      'The back office calls the verbs of the slices, not the router of the merchant API. It logs with deps.log.',
      { path: '^src/backoffice/' },
      { path: String.raw`^src/(router|log)\.ts$` },
    ),
    rule(
      'web-knows-types',
      'The browser code imports values only from the kernel, samples of the guides as text, and types from anywhere (import type). Move a shared value to the kernel.',
      { path: WEB },
      {
        path: '^src/',
        pathNot: [WEB, '^src/kernel/', '^src/docs/samples/'],
        dependencyTypesNot: ['type-only'],
      },
    ),
    rule(
      'web-stays-in-the-browser',
      'The service sends the built pages and does not import their source. Move what both need to the kernel.',
      { path: '^src/', pathNot: WEB },
      { path: WEB },
    ),
    rule(
      'client-knows-types',
      'The client imports types of the server (import type) and no code of the server or of a package: integrators install it alone.',
      { path: '^src/client/' },
      { pathNot: '^src/client/', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'client-stays-outside',
      'The service does not import its client. Move what both need to the kernel, as a type.',
      { path: '^src/', pathNot: '^src/client/' },
      { path: '^src/client/' },
    ),
    rule(
      'router-is-a-list',
      'router.ts imports only the router.ts of each slice, and rpc.',
      { path: String.raw`^src/router\.ts$` },
      { path: '^src/', pathNot: [String.raw`^src/(${SLICES})/router\.ts$`, '^src/rpc/'] },
    ),
    rule(
      'composition-is-the-top',
      'No lower folder imports the files that assemble the service. Take what you need from deps, as a parameter.',
      { path: '^src/', pathNot: COMPOSITION },
      { path: COMPOSITION },
    ),
    rule(
      'app-is-below-main',
      'app.ts does not import the command line or the start, because both import it.',
      { path: String.raw`^src/app\.ts$` },
      { path: String.raw`^src/(bin|main|demo|cli)\.ts$|^src/cli/` },
    ),
    rule(
      'deps-and-settings-are-handed-down',
      'Import only types (import type) of deps.ts and config.ts. The values arrive in the parameter deps.',
      { path: '^src/', pathNot: COMPOSITION },
      { path: TYPES_FOR_ALL, dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'queries-in-stores',
      'Queries are built in store files and in the database folder. Move the query to a file whose name ends with store.ts.',
      {
        path: '^src/',
        pathNot: ['^src/(db|installation)/', String.raw`store\.ts$`],
      },
      { path: '(^|/)node_modules/(kysely|better-sqlite3)/', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'nothing-for-development-only',
      'Code that runs in production needs the package in dependencies, not in devDependencies of package.json.',
      { path: '^src/', pathNot: WEB },
      { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'resolvable',
      'The imported file or package does not exist. Correct the path, or install the package.',
      { pathNot: '^scripts/bench/peers/' },
      { couldNotResolve: true },
    ),
    rule(
      'support-is-shared',
      'test/support and scripts import nothing of a test suite. Move what both need to test/support.',
      // The crash test runs commands as the tests of the command line do.
      { path: '^(test/support|scripts)/', pathNot: '^scripts/crash/' },
      { path: '^test/', pathNot: '^test/support/' },
    ),
    rule(
      'tests-stay-outside',
      'The service does not import its tests and scripts. Move the code to src.',
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
