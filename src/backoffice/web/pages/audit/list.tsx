import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { AUDIT_WORDS, auditDetails } from '../../../../kernel/audit-words.ts';
import { useFormat } from '../../lib/format.ts';
import { useLanguage, useTexts } from '../../lib/i18n.ts';
import { Rows } from '../../ui/rows.tsx';
import { Time } from '../../ui/time.tsx';
import css from './audit.module.css';
import { TEXTS } from './texts.ts';
import type { AuditLine } from './types.ts';

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
  const names: Record<string, string> = AUDIT_WORDS[useLanguage().language].actors;
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
  const { language } = useLanguage();
  return (
    <span className={css.pair}>
      <span className={css.strong}>{AUDIT_WORDS[language].actions[line.action]}</span>
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
  const { language } = useLanguage();
  const details = auditDetails(line.details, language, useFormat());
  if (details.length === 0) return null;
  return (
    <span className={css.details}>
      {details.map(({ name, text }) => (
        <span key={name}>{text}</span>
      ))}
    </span>
  );
}
