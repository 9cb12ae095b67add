import { Badge, Button, Group, Stack, Switch, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n.ts';
import { usePageMerchant } from '../../lib/session.ts';
import { submitting } from '../../lib/submitting.ts';
import { notifyDone } from '../../ui/notify.ts';
import { Time } from '../../ui/time.tsx';
import { Trouble } from '../../ui/trouble.tsx';
import { useActs } from './acts.ts';
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
      {shown.notes.length === 0 && <p className={css.hint}>{words.noStory}</p>}
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
  const across = usePageMerchant() === null;
  const acts = useActs(shown.receiptId);
  const [text, setText] = useState('');
  const [internal, setInternal] = useState(true);
  const send = useMutation({
    mutationFn: async () => {
      await acts.note(text, across && internal);
      setText('');
      notifyDone(words.noted);
    },
  });
  return (
    <form onSubmit={submitting(send.mutateAsync)}>
      <Stack gap="sm">
        <Textarea
          label={words.noteLabel}
          placeholder={words.notePlaceholder}
          maxLength={1000}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Trouble error={send.error} />
        <Group justify="space-between">
          {across ? (
            <Switch
              label={words.internalSwitch}
              checked={internal}
              onChange={(event) => setInternal(event.currentTarget.checked)}
            />
          ) : (
            <span />
          )}
          <Button type="submit" variant="default" loading={send.isPending} disabled={text.trim() === ''}>
            {words.addNote}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
