import { Anchor, Select, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { AUDIT_WORDS, actionName, actorName, auditDetails } from '../../../../kernel/audit-words.ts';
import {
  addressOf,
  choice,
  day,
  type FilterProps,
  MERCHANT,
  queryOf,
  type StateOf,
  startOfDay,
  USER,
  useAddressFilters,
} from '../../lib/address.ts';
import { format } from '../../lib/format.ts';
import { currentLanguage } from '../../lib/i18n.ts';
import { usePageMerchant, useScope } from '../../lib/session.ts';
import { type RouterOutputs, trpc } from '../../lib/trpc.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { DayField } from '../../ui/day-field.tsx';
import { DownloadButton } from '../../ui/download-button.tsx';
import { Empty, LinesSkeleton } from '../../ui/loaded.tsx';
import { MerchantPicker } from '../../ui/merchant-picker.tsx';
import { PAGED, PagedList } from '../../ui/more-rows.tsx';
import { Page } from '../../ui/page.tsx';
import { RemoteSelect, SHOWN_MAX } from '../../ui/remote-select.tsx';
import { Rows } from '../../ui/rows.tsx';
import { Soft } from '../../ui/soft.tsx';
import { Time } from '../../ui/time.tsx';
import css from './audit.module.css';
import { TEXTS } from './texts.ts';

/** The audit log: of the merchant, for its owners, or of the platform, for operators. */
export default function AuditPage() {
  const merchant = usePageMerchant();
  if (merchant !== null && merchant.role !== 'owner') {
    return (
      <Page title={TEXTS.pages.audit}>
        <Empty title={TEXTS.ownersOnly}>{TEXTS.ownersOnlyText}</Empty>
      </Page>
    );
  }
  return <Entries />;
}

function Entries() {
  const merchantId = useScope();
  const [filters, changeFilters] = useAddressFilters(FILTERS);
  const input = { merchantId, ...askedOf(filters) };
  const query = useInfiniteQuery(trpc.audit.list.infiniteQueryOptions(input, PAGED));
  const total = useQuery(trpc.audit.count.queryOptions(input));
  return (
    <Page
      title={TEXTS.pages.audit}
      description={merchantId === null ? TEXTS.description : TEXTS.ownDescription}
      actions={
        <DownloadButton
          href={`/backoffice/export/audit.csv?${queryOf({ ...input, language: currentLanguage() })}`}
        >
          {TEXTS.csv}
        </DownloadButton>
      }
    >
      <AuditFilters filters={filters} onChange={changeFilters} />
      <PagedList
        query={query}
        total={total}
        counted={TEXTS.counted}
        rowKey={(line) => line.id}
        empty={<Empty title={TEXTS.none}>{TEXTS.noneText}</Empty>}
        skeleton={<LinesSkeleton lines={10} height={44} />}
      >
        {(rows) => <AuditList rows={rows} />}
      </PagedList>
    </Page>
  );
}

function AuditFilters({ filters, onChange }: FilterProps<Filters>) {
  const across = usePageMerchant() === null;
  const actions = (across ? ACTIONS : OWN_ACTIONS).map((value) => ({
    value,
    label: AUDIT_WORDS.actions[value][currentLanguage()],
  }));
  return (
    <search className={css.filters}>
      <Select
        label={TEXTS.what}
        placeholder={TEXTS.anything}
        searchable
        clearable
        maxDropdownHeight={320}
        data={actions}
        value={filters.action}
        onChange={(action) => onChange({ action })}
      />
      {across && (
        <>
          <RemoteSelect
            label={TEXTS.who}
            placeholder={TEXTS.anybody}
            none={TEXTS.noPerson}
            value={filters.person}
            onChange={(person) => onChange({ person })}
            useFound={useFoundPeople}
          />
          <MerchantPicker value={filters.merchant} onChange={(merchant) => onChange({ merchant })} />
        </>
      )}
      <DayField label={TEXTS.since} value={filters.since} onChange={(since) => onChange({ since })} />
    </search>
  );
}

/** A search over all users by e-mail. */
function useFoundPeople(text: string, enabled: boolean) {
  const input = { email: text.slice(0, 300), limit: SHOWN_MAX };
  const select = ({ rows }: RouterOutputs['users']['list']) =>
    rows.map(({ userId, email }) => ({ value: userId, label: email }));
  const options = { enabled, placeholderData: keepPreviousData, select };
  return useQuery(trpc.users.list.queryOptions(input, options));
}

/** The entries; in the list of all merchants, with the merchant. */
function AuditList({ rows }: { readonly rows: readonly AuditLine[] }) {
  const across = usePageMerchant() === null;
  const merchant = {
    key: 'merchant',
    label: TEXTS.merchant,
    cell: (line: AuditLine) => <Merchant line={line} />,
  };
  return (
    <div className={across ? `${css.list} ${css.across}` : css.list}>
      <Rows
        label={TEXTS.pages.audit}
        rows={rows}
        rowKey={(line) => line.id}
        columns={[
          { key: 'when', label: TEXTS.when, cell: (line) => <Time soft at={line.at} /> },
          { key: 'who', label: TEXTS.who, cell: (line) => <Who line={line} /> },
          { key: 'what', label: TEXTS.what, cell: (line) => <What line={line} /> },
          ...(across ? [merchant] : []),
          { key: 'details', label: TEXTS.details, cell: (line) => <Details line={line} /> },
        ]}
      />
    </div>
  );
}

interface LineProps {
  readonly line: AuditLine;
}

function Who({ line }: LineProps) {
  const name = actorName(line.actor, currentLanguage());
  const from = line.address === null ? '' : TEXTS.from(line.address);
  return (
    <span title={`${name} ${from}`}>
      <Breakable text={name} /> <Soft>{from}</Soft>
    </span>
  );
}

function What({ line }: LineProps) {
  const name = actionName(line.action, currentLanguage());
  const target = line.target === line.merchantId ? null : line.target;
  return (
    <span title={target === null ? name : `${name}: ${target}`}>
      <Text span inherit fw={600} style={{ whiteSpace: 'normal' }}>
        {name}
      </Text>{' '}
      <Text span c="dimmed" ff="monospace" fz="0.8rem">
        {target !== null && <Breakable text={target} />}
      </Text>
    </span>
  );
}

function Merchant({ line }: LineProps) {
  const { merchantId, merchantName } = line;
  if (merchantId === null) return <Soft>{TEXTS.platform}</Soft>;
  return (
    <Anchor component={Link} fz="inherit" href={`/m/${merchantId}`}>
      {merchantName ?? merchantId}
    </Anchor>
  );
}

function Details({ line }: LineProps) {
  const details = auditDetails(line.details, currentLanguage(), format);
  if (details.length === 0) return null;
  const text = details.map((detail) => detail.text).join(' · ');
  return (
    <Text span c="dimmed" fz="0.88rem" title={text}>
      <Breakable text={text} />
    </Text>
  );
}

type AuditLine = RouterOutputs['audit']['list']['rows'][number];

const ACTIONS = Object.keys(AUDIT_WORDS.actions) as AuditLine['action'][];
/** Actions that a merchant's own log never contains: those on accounts, of the installation, and those that only operators may see. */
const PLATFORM_ACTIONS =
  /^user\.(?!created)|^(session|secret_key|bank)\.|^(transaction\.released|refunds\.exported|refund\.dismissed)$/;
const OWN_ACTIONS = ACTIONS.filter((action) => !PLATFORM_ACTIONS.test(action));

const FILTERS = addressOf({
  action: choice('action', ACTIONS),
  merchant: MERCHANT,
  person: USER,
  since: day('since'),
});
type Filters = StateOf<typeof FILTERS>;

/** Returns the filters as the server expects them; unset ones are omitted. */
function askedOf({ action, merchant, person, since }: Filters) {
  return {
    action: action ?? undefined,
    since: startOfDay(since),
    ofMerchant: merchant?.value,
    userId: person?.value,
  };
}
