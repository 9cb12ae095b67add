import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { Rows } from '../../ui/rows.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { TEXTS } from './texts.ts';
import type { Flag, Kind } from './types.ts';

interface Props {
  readonly kinds: readonly Kind[];
  readonly onKind: (flag: Flag) => void;
}

/** The open cases by kind, with sums; a row narrows the list to its kind. */
export function KindTable({ kinds, onKind }: Props) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const atLeast = (text: string, more: boolean) => (more ? `${text}+` : text);
  return (
    <Rows
      label={words.byKind}
      rows={kinds}
      rowKey={(kind) => kind.flag}
      onRow={(kind) => onKind(kind.flag)}
      columns={[
        { key: 'kind', label: words.flag, cell: (kind) => <StateBadge state={kind.flag} /> },
        {
          key: 'count',
          label: words.cases,
          align: 'right',
          cell: (kind) => atLeast(format.count(kind.count), kind.more),
        },
        {
          key: 'oldest',
          label: words.oldest,
          cell: (kind) => kind.oldestAt !== null && <Time at={kind.oldestAt} as="ago" />,
        },
        {
          key: 'sum',
          label: words.total,
          align: 'right',
          cell: (kind) => <strong>{atLeast(format.euro(kind.cents), kind.more)}</strong>,
        },
      ]}
    />
  );
}
