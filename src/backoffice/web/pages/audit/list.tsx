import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { Rows } from '../../ui/rows.tsx';
import { useStateWord } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import css from './audit.module.css';
import { TEXTS } from './texts.ts';
import type { AuditLine } from './types.ts';

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
/** Details whose values are translated. */
const WORDED = new Set(['role', 'flags']);

/** The audit log. */
export function AuditList({ rows }: { readonly rows: readonly AuditLine[] }) {
  const words = useTexts(TEXTS);
  return (
    <Rows
      label={words.list}
      rows={rows}
      rowKey={(line) => line.id}
      columns={[
        {
          key: 'when',
          label: words.when,
          cell: (line) => (
            <span className={`${css.soft} ${css.when}`}>
              <Time at={line.at} />
            </span>
          ),
        },
        { key: 'who', label: words.who, cell: (line) => <Who line={line} /> },
        { key: 'what', label: words.what, cell: (line) => <What line={line} /> },
        { key: 'merchant', label: words.merchant, cell: (line) => <Merchant line={line} /> },
        { key: 'details', label: words.details, cell: (line) => <Details line={line} /> },
      ]}
    />
  );
}

interface LineProps {
  readonly line: AuditLine;
}

function Who({ line }: LineProps) {
  const words = useTexts(TEXTS);
  const names: Record<string, string> = { service: words.service, 'command line': words.commandLine };
  return (
    <span className={`${css.pair} ${css.who}`}>
      {line.userId === null ? <span>{names[line.actor] ?? line.actor}</span> : <Email text={line.actor} />}
      {line.address !== null && <span className={css.soft}>{words.from(line.address)}</span>}
    </span>
  );
}

/** Allows an e-mail address to wrap after the @. */
function Email({ text }: { readonly text: string }) {
  const at = text.indexOf('@') + 1;
  return (
    <span>
      {text.slice(0, at)}
      <wbr />
      {text.slice(at)}
    </span>
  );
}

function What({ line }: LineProps) {
  const words = useTexts(TEXTS);
  return (
    <span className={css.pair}>
      <span className={css.strong}>{words.actions[line.action]}</span>
      {line.target !== null && line.target !== line.merchantId && (
        <span className={css.id} title={line.target}>
          {line.target}
        </span>
      )}
    </span>
  );
}

function Merchant({ line }: LineProps) {
  const words = useTexts(TEXTS);
  const { merchantId, merchantName } = line;
  if (merchantId === null) return <span className={css.soft}>{words.platform}</span>;
  return (
    <Anchor component={Link} href={`/m/${merchantId}`}>
      {merchantName ?? merchantId}
    </Anchor>
  );
}

function Details({ line }: LineProps) {
  const words = useTexts(TEXTS);
  const said = useSaid();
  const entries = Object.entries(line.details).filter(([, value]) => value !== null && value !== '');
  if (entries.length === 0) return null;
  const names: Record<string, string> = words.names;
  return (
    <span className={css.details}>
      {entries.map(([name, value]) => (
        <span key={name}>
          {names[name] ?? name}: {said(name, value)}
        </span>
      ))}
    </span>
  );
}

/** Returns a detail as text: amounts in euros, instants in Lisbon time, translated values. */
function useSaid(): (name: string, value: unknown) => string {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const stateWord = useStateWord();
  const said = (name: string, value: unknown): string => {
    if (typeof value === 'boolean') return value ? words.yes : words.no;
    if (typeof value === 'number') return name.endsWith('Cents') ? format.euro(value) : format.count(value);
    if (Array.isArray(value)) return value.map((one) => said(name, one)).join(', ');
    if (typeof value !== 'string') return JSON.stringify(value);
    if (INSTANT.test(value)) return format.time(Date.parse(value));
    return WORDED.has(name) ? stateWord(value) : value;
  };
  return said;
}
