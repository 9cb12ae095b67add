import { Button, FileButton, Group, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { texts } from '../../lib/i18n.ts';
import { useMayChange, useMerchant } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';
import { Card } from '../../ui/card.tsx';
import { FailedOnly } from '../../ui/loaded.tsx';
import { Hint } from '../../ui/soft.tsx';
import { Trouble } from '../../ui/trouble.tsx';
import { useChange } from '../../ui/use-change.ts';
import css from './payment-links.module.css';

const TEXTS = texts({
  title: ['Payment page', 'Página de pagamento'],
  hint: [
    'Your logo and colour on every payment page. The logo is a PNG, JPEG or WebP file of at most 30 kB; the colour must be dark enough for white text.',
    'O logótipo e a cor em todas as páginas de pagamento. O logótipo é um ficheiro PNG, JPEG ou WebP até 30 kB; a cor tem de ser escura o suficiente para texto branco.',
  ],
  accent: ['Accent colour', 'Cor de destaque'],
  standard: ['Standard', 'Predefinida'],
  save: ['Save colour', 'Guardar cor'],
  upload: ['Upload logo', 'Carregar logótipo'],
  remove: ['Remove logo', 'Remover logótipo'],
  preview: ['Preview', 'Pré-visualização'],
  pay: ['Pay with MB WAY', 'Pagar com MB WAY'],
  done: ['Payment page changed.', 'Página de pagamento alterada.'],
});

const STANDARD = '#1f539c';
/** Above the limit of a logo: a larger file is cut, so that the service still answers with the limit. */
const SENT_BYTES_MAX = 100_000;

/** The merchant's logo and colour on its payment pages. */
export function Branding() {
  const owner = useMayChange();
  const { merchantId } = useMerchant();
  const brand = useQuery(trpc.paymentLinks.brand.queryOptions({ merchantId }));
  const set = useChange(trpc.paymentLinks.setBrand, { done: TEXTS.done });
  const [typed, setTyped] = useState<string | null>(null);
  const resetFile = useRef<() => void>(null);
  const { data } = brand;
  const accent = typed ?? data?.accent ?? STANDARD;
  const change = (changes: { accent?: string | null; logo?: string | null }) =>
    set.mutate(
      { merchantId, ...changes },
      { onSuccess: () => changes.accent !== undefined && setTyped(null) },
    );
  const upload = async (file: File | null) => {
    // The browser reports the same file again only if none is chosen.
    resetFile.current?.();
    if (file !== null) change({ logo: await base64Of(file.slice(0, SENT_BYTES_MAX)) });
  };
  if (data === undefined) return <FailedOnly query={brand} />;
  return (
    <Card title={TEXTS.title}>
      <Hint>{TEXTS.hint}</Hint>
      <div className={css.brand}>
        {owner && (
          <Stack gap={12}>
            <TextInput
              type="color"
              label={TEXTS.accent}
              value={accent}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
            <Group gap="xs">
              <Button onClick={() => change({ accent })} disabled={typed === null} loading={set.isPending}>
                {TEXTS.save}
              </Button>
              {data.accent !== null && (
                <Button variant="default" disabled={set.isPending} onClick={() => change({ accent: null })}>
                  {TEXTS.standard}
                </Button>
              )}
              <FileButton
                resetRef={resetFile}
                accept="image/png,image/jpeg,image/webp"
                onChange={(file) => void upload(file)}
              >
                {(props) => (
                  <Button variant="default" disabled={set.isPending} {...props}>
                    {TEXTS.upload}
                  </Button>
                )}
              </FileButton>
              {data.logoUrl !== null && (
                <Button variant="default" disabled={set.isPending} onClick={() => change({ logo: null })}>
                  {TEXTS.remove}
                </Button>
              )}
            </Group>
            <Trouble error={set.error} />
          </Stack>
        )}
        <Preview logoUrl={data.logoUrl} accent={accent} />
      </div>
    </Card>
  );
}

function Preview({ logoUrl, accent }: { readonly logoUrl: string | null; readonly accent: string }) {
  const { name } = useMerchant();
  return (
    <figure className={css.preview} aria-label={TEXTS.preview}>
      {logoUrl !== null && <img src={new URL(logoUrl).pathname} alt="" />}
      <strong>{name}</strong>
      <span className={css.previewButton} style={{ background: accent }}>
        {TEXTS.pay}
      </span>
    </figure>
  );
}

async function base64Of(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
