import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { actionName, actorName, auditDetails } from '../../../../kernel/audit-words.ts';
import { useFormat } from '../../lib/format.ts';
import { useLanguage, useTexts } from '../../lib/i18n.ts';
import { usePageMerchant } from '../../lib/session.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { Rows } from '../../ui/rows.tsx';
import { Soft } from '../../ui/soft.tsx';
import { Time } from '../../ui/time.tsx';
import css from './audit.module.css';
import { TEXTS } from './texts.ts';
import type { AuditLine } from './types.ts';

/** The entries; in the list of all merchants, with the merchant. */
export function AuditList({ rows }: { readonly rows: readonly AuditLine[] }) {
  const words = useTexts(TEXTS);
  const across = usePageMerchant() === null;
  const merchant = {
    key: 'merchant',
    label: words.merchant,
    cell: (line: AuditLine) => <Merchant line={line} />,
  };
  return (
    <div className={across ? `${css.list} ${css.across}` : css.list}>
      <Rows
        label={words.pages.audit}
        rows={rows}
        rowKey={(line) => line.id}
        columns={[
          { key: 'when', label: words.when, cell: (line) => <Time soft at={line.at} /> },
          { key: 'who', label: words.who, cell: (line) => <Who line={line} /> },
          { key: 'what', label: words.what, cell: (line) => <What line={line} /> },
          ...(across ? [merchant] : []),
          { key: 'details', label: words.details, cell: (line) => <Details line={line} /> },
        ]}
      />
    </div>
  );
}

interface LineProps {
  readonly line: AuditLine;
}

function Who({ line }: LineProps) {
  const words = useTexts(TEXTS);
  const name = actorName(line.actor, useLanguage().language);
  const from = line.address === null ? '' : words.from(line.address);
  return (
    <span title={`${name} ${from}`}>
      <Breakable text={name} /> <Soft>{from}</Soft>
    </span>
  );
}

function What({ line }: LineProps) {
  const { language } = useLanguage();
  const name = actionName(line.action, language);
  const target = line.target === line.merchantId ? null : line.target;
  return (
    <span title={target === null ? name : `${name}: ${target}`}>
      <span className={css.strong}>{name}</span>{' '}
      <Text span c="dimmed" ff="monospace" fz="0.8rem">
        {target !== null && <Breakable text={target} />}
      </Text>
    </span>
  );
}

function Merchant({ line }: LineProps) {
  const words = useTexts(TEXTS);
  const { merchantId, merchantName } = line;
  if (merchantId === null) return <Soft>{words.platform}</Soft>;
  return (
    <Anchor component={Link} fz="inherit" href={`/m/${merchantId}`}>
      {merchantName ?? merchantId}
    </Anchor>
  );
}

function Details({ line }: LineProps) {
  const { language } = useLanguage();
  const details = auditDetails(line.details, language, useFormat());
  if (details.length === 0) return null;
  const text = details.map((detail) => detail.text).join(' · ');
  return (
    <Text span c="dimmed" fz="0.88rem" title={text}>
      <Breakable text={text} />
    </Text>
  );
}
