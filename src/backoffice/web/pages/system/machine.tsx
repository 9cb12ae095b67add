import { Anchor, Code } from '@mantine/core';
import { format } from '../../lib/format.ts';
import { currentLanguage } from '../../lib/i18n.ts';
import { Card } from '../../ui/card.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Hint } from '../../ui/soft.tsx';
import { Time } from '../../ui/time.tsx';
import { Check } from './check.tsx';
import { TEXTS } from './texts.ts';
import type { Level, SystemState } from './types.ts';

interface Props {
  readonly state: SystemState;
}

const BACKUP_COMMAND = 'npm run --silent service -- backup FILE';
const POSTGRES_BACKUP_GUIDE = { en: '/docs/guides/failover#backup', pt: '/docs/pt/guias/comutacao#copia' };

export function RequestsCheck({ state: { http } }: Props) {
  const { http: own } = TEXTS;
  const share = http.requests === 0 ? 0 : http.serverErrors / http.requests;
  return (
    <Check
      title={`${own.title}, ${TEXTS.lastMinutes(format.duration(http.windowMs)).toLowerCase()}`}
      level={http.level}
      sentence={own[http.level]}
    >
      <Facts
        items={[
          [own.requests, format.count(http.requests)],
          [own.errors, own.errorsText(format.count(http.serverErrors), format.percent(share))],
          [own.refused, format.count(http.clientErrors)],
        ]}
      />
    </Check>
  );
}

export function ProcessFacts({ state }: Props) {
  const { process } = state;
  const { process: own } = TEXTS;
  return (
    <Card title={own.title}>
      <Facts
        items={[
          [own.uptime, format.duration(state.now - process.startedAt)],
          [own.memory, bytesText(process.memoryBytes)],
        ]}
      />
    </Card>
  );
}

export function StorageCheck({ state: { storage, backup } }: Props) {
  const { storage: own } = TEXTS;
  const level: Level = storage.level === 'good' ? backup.level : storage.level;
  return (
    <Check title={own.title} level={level} sentence={backup.byServer ? own.unseen : own[storage.level]}>
      <Facts
        items={[
          [own.size, bytesText(storage.databaseBytes)],
          [own.free, storage.freeBytes === null ? null : bytesText(storage.freeBytes)],
          [
            own.backup,
            backup.at !== null ? <Time key="backup" at={backup.at} as="ago" /> : own[noBackup(backup)],
          ],
        ]}
      />
      {storage.slowSearch && (
        <Hint mt={14}>
          {own.slowSearch}{' '}
          <Anchor href="/docs/guides/running-it#machine" hrefLang="en" target="_blank" rel="noreferrer">
            {own.guide}
          </Anchor>
        </Hint>
      )}
      {!backup.sandbox && (
        <Hint mt={14}>
          {backup.byServer ? (
            <>
              {own.backupByServerTodo}{' '}
              <Anchor
                href={POSTGRES_BACKUP_GUIDE[currentLanguage()]}
                hrefLang={currentLanguage()}
                target="_blank"
                rel="noreferrer"
              >
                {own.backupByServerGuide}
              </Anchor>
            </>
          ) : (
            <>
              {own.backupTodo} <Code>{BACKUP_COMMAND}</Code>
            </>
          )}
        </Hint>
      )}
    </Check>
  );
}

/** The text in the place of the time of the latest backup. */
function noBackup({ sandbox, byServer }: SystemState['backup']) {
  if (sandbox) return 'backupSandbox';
  return byServer ? 'backupByServer' : 'backupNone';
}

export function Versions({ state: { versions } }: Props) {
  const { versions: own } = TEXTS;
  return (
    <Card title={own.title}>
      <Facts
        items={[
          [own.service, versions.service],
          [own.node, versions.node],
          [own.database, versions.database],
          [own.schema, String(versions.schema)],
        ]}
      />
    </Card>
  );
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];
const STEP = 1000;
const NBSP = '\u00a0';

/** Formats a size in its largest unit, with one decimal below ten. */
function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= STEP && unit < UNITS.length - 1) {
    value /= STEP;
    unit += 1;
  }
  const digits = unit > 0 && value < 10 ? value.toFixed(1) : String(Math.round(value));
  return `${currentLanguage() === 'pt' ? digits.replace('.', ',') : digits}${NBSP}${UNITS[unit]}`;
}
