import { Badge, Button, Group, Stack, Switch, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n.ts';
import { usePageMerchant, useScope } from '../../lib/session.ts';
import { submitting } from '../../lib/submitting.ts';
import { Time } from '../../ui/time.tsx';
import { Trouble } from '../../ui/trouble.tsx';
import { useChange } from '../../ui/use-change.ts';
import { CASE_TEXTS } from './case-texts.ts';
import css from './exceptions.module.css';
import type { Case } from './types.ts';

/** The actions and notes of a case, and a field for a new note. */
export function Story({ shown }: { readonly shown: Case }) {
  const words = useTexts(CASE_TEXTS);
  const merchant = usePageMerchant();
  return (
    <section className={css.section}>
      <h2>{words.story}</h2>
      {shown.notes.length === 0 && (
        <Text c="dimmed" fz="0.92rem" textWrap="pretty">
          {words.noStory}
        </Text>
      )}
      <ol className={css.story}>
        {shown.notes.map((note) => (
          <li key={note.id} className={note.kind === 'note' ? css.note : `${css.note} ${css.deed}`}>
            <span className={css.noteHead}>
              <strong>{words.kinds[note.kind]}</strong>
              <span>{note.actor ?? words.platform}</span>
              <Time at={note.at} />
              {note.internal && (
                <Badge size="sm" variant="default">
                  {words.internal}
                </Badge>
              )}
            </span>
            {note.text !== '' && <p>{note.text}</p>}
          </li>
        ))}
      </ol>
      {merchant?.role !== 'viewer' && <NoteForm key={shown.receiptId} shown={shown} />}
    </section>
  );
}

function NoteForm({ shown }: { readonly shown: Case }) {
  const words = useTexts(CASE_TEXTS);
  const merchantId = useScope();
  const [text, setText] = useState('');
  const [internal, setInternal] = useState(true);
  const add = useChange((trpc) => trpc.exceptions.note, { done: words.noted });
  const send = submitting(async () => {
    await add.mutateAsync({
      merchantId,
      receiptId: shown.receiptId,
      text,
      internal: merchantId === null && internal,
    });
    setText('');
  });
  return (
    <form onSubmit={send}>
      <Stack gap="sm">
        <Textarea
          label={words.noteLabel}
          placeholder={words.notePlaceholder}
          maxLength={1000}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Trouble error={add.error} />
        <Group justify="space-between">
          {merchantId === null ? (
            <Switch
              label={words.internalSwitch}
              checked={internal}
              onChange={(event) => setInternal(event.currentTarget.checked)}
            />
          ) : (
            <span />
          )}
          <Button type="submit" variant="default" loading={add.isPending} disabled={text.trim() === ''}>
            {words.addNote}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
