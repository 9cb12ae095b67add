import { Button, Checkbox, Group, Progress } from '@mantine/core';
import { IconLockOpen } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { type MorePages, PagedRows, rowsOf } from '../../ui/more-rows.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { SmallButton } from '../../ui/small-button.tsx';
import { Time } from '../../ui/time.tsx';
import css from './review.module.css';
import { TEXTS } from './texts.ts';
import type { HeldSale, Outcome } from './types.ts';
import type { Release } from './use-release.ts';

interface Props {
  readonly data: { readonly pages: readonly { readonly rows: readonly HeldSale[] }[] };
  readonly query: MorePages<HeldSale>;
  readonly release: Release;
  readonly onAgain: () => void;
}

/** The sales on hold, with selection, release and results. */
export function HeldList({ data, query, release, onAgain }: Props) {
  const rows = rowsOf(data);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const open = rows.filter((row) => isOpen(release.outcomes.get(row.transactionId)));
  const picked = open.filter((row) => chosen.has(row.transactionId));
  const columns = useColumns(release, chosen, setChosen);
  return (
    <div className={css.held}>
      <Bar open={open} picked={picked} release={release} setChosen={setChosen} />
      <Course release={release} onAgain={onAgain} />
      <PagedRows data={data} query={query} rowKey={(row) => row.transactionId}>
        {(part) => <HeldRows rows={part} columns={columns} />}
      </PagedRows>
    </div>
  );
}

function HeldRows({
  rows,
  columns,
}: {
  readonly rows: readonly HeldSale[];
  readonly columns: Column<HeldSale>[];
}) {
  const words = useTexts(TEXTS);
  return <Rows label={words.list} rows={rows} rowKey={(row) => row.transactionId} columns={columns} />;
}

/** A failed sale can be retried. */
function isOpen(outcome: Outcome | undefined): boolean {
  return outcome === undefined || outcome === 'failed';
}

interface BarProps {
  readonly open: readonly HeldSale[];
  readonly picked: readonly HeldSale[];
  readonly release: Release;
  readonly setChosen: (chosen: ReadonlySet<string>) => void;
}

function Bar({ open, picked, release, setChosen }: BarProps) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const sum = format.euro(picked.reduce((total, row) => total + row.amountCents, 0));
  const count = format.count(picked.length);
  const chosen = (picked.length === 1 ? words.chosenOne : words.chosen)(count, sum);
  const all = open.length > 0 && picked.length === open.length;
  const { paid, event, money, undo } = words.effects;
  return (
    <div className={css.bar}>
      <Checkbox
        label={words.chooseAll}
        checked={all}
        indeterminate={!all && picked.length > 0}
        disabled={release.running || open.length === 0}
        onChange={() => setChosen(new Set(all ? [] : open.map((row) => row.transactionId)))}
      />
      <Group gap="md">
        <span className={css.chosen} aria-live="polite">
          {picked.length === 0 ? words.none : chosen}
        </span>
        <Confirm
          title={words.dialog}
          confirmLabel={words.confirm(count)}
          onConfirm={() => {
            void release.start(picked.map((row) => row.transactionId));
            setChosen(new Set());
          }}
          trigger={
            <Button
              disabled={picked.length === 0}
              loading={release.running}
              leftSection={<IconLockOpen size={17} aria-hidden />}
            >
              {words.release}
            </Button>
          }
        >
          <p className={css.sum}>{chosen}</p>
          <ul className={css.effects}>
            {[paid, event, money, undo].map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </Confirm>
      </Group>
    </div>
  );
}

/** The progress and result of a release. */
function Course({ release, onAgain }: Pick<Props, 'release' | 'onAgain'>) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const all = release.asked.length;
  if (all === 0) return null;
  const outcomes = release.asked.map((id) => release.outcomes.get(id));
  const ended = outcomes.filter((outcome) => outcome !== 'waiting').length;
  const done = outcomes.filter((outcome) => outcome === 'released').length;
  const said = (release.running ? words.progress : words.finished)(format.count(done), format.count(all));
  return (
    <div className={css.course} role="status">
      <Progress value={(ended / all) * 100} aria-label={said} color={release.running ? 'sea' : 'teal'} />
      <Group justify="space-between">
        <span>{said}</span>
        {!release.running && <SmallButton onClick={onAgain}>{words.again}</SmallButton>}
      </Group>
    </div>
  );
}

function useColumns(
  release: Release,
  chosen: ReadonlySet<string>,
  setChosen: (chosen: ReadonlySet<string>) => void,
): Column<HeldSale>[] {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const outcomeOf = (row: HeldSale) => release.outcomes.get(row.transactionId);
  const choose: Column<HeldSale> = {
    key: 'choose',
    label: words.columns.choose,
    cell: (row) => (
      <Checkbox
        aria-label={words.choose(row.orderId)}
        checked={chosen.has(row.transactionId) && isOpen(outcomeOf(row))}
        disabled={release.running || !isOpen(outcomeOf(row))}
        onChange={() => toggle(row.transactionId)}
      />
    ),
  };
  const outcome: Column<HeldSale> = {
    key: 'outcome',
    label: words.columns.outcome,
    cell: (row) => <Result outcome={outcomeOf(row)} />,
  };
  return [
    choose,
    {
      key: 'amount',
      label: words.columns.amount,
      cell: (row) => <strong className={css.amount}>{format.euro(row.amountCents)}</strong>,
    },
    {
      key: 'order',
      label: words.columns.order,
      cell: (row) => (
        <Link href={`/operator/transactions/${row.transactionId}`} className={css.link}>
          {row.orderId}
        </Link>
      ),
    },
    { key: 'merchant', label: words.columns.merchant, cell: (row) => row.merchant.name },
    { key: 'method', label: words.columns.method, cell: (row) => words.methods[row.method ?? 'none'] },
    { key: 'paidAt', label: words.columns.paidAt, cell: (row) => <Time at={row.paidAt} /> },
    ...(release.outcomes.size > 0 ? [outcome] : []),
  ];
}

function Result({ outcome }: { readonly outcome: Outcome | undefined }) {
  const words = useTexts(TEXTS);
  if (outcome === undefined) return null;
  const tone = outcome === 'released' ? css.good : outcome === 'failed' ? css.bad : css.quiet;
  return <span className={tone}>{words.outcomes[outcome]}</span>;
}
