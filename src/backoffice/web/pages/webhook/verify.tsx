import { Box, SegmentedControl, Text } from '@mantine/core';
import standardPhp from '../../../../docs/samples/verify.php?raw';
import standardPy from '../../../../docs/samples/verify.py?raw';
import standardTs from '../../../../docs/samples/verify.ts.txt?raw';
import { addressOf, setting, useAddressState } from '../../lib/address.ts';
import { currentLanguage } from '../../lib/i18n.ts';
import { Card } from '../../ui/card.tsx';
import { Code } from '../../ui/code.tsx';
import { CopyButton } from '../../ui/copyable.tsx';
import { withPortugueseComments } from './samples/comments.ts';
import servicePhp from './samples/service.php.txt?raw';
import servicePy from './samples/service.py.txt?raw';
import serviceTs from './samples/service.ts.txt?raw';
import { TEXTS } from './texts.ts';
import css from './webhook.module.css';

const SAMPLES = {
  service: { PHP: servicePhp, TypeScript: serviceTs, Python: servicePy },
  standard: { PHP: standardPhp, TypeScript: standardTs, Python: standardPy },
};

const SAMPLE = addressOf({
  programming: setting('sample', ['PHP', 'TypeScript', 'Python']),
  style: setting('signature', ['service', 'standard']),
});

/** Code samples that verify a signature. */
export default function Verify() {
  const words = TEXTS.verify;
  const [{ programming, style }, setSample] = useAddressState(SAMPLE);
  const sample = SAMPLES[style][programming].trimEnd();
  const code = currentLanguage() === 'pt' ? withPortugueseComments(sample) : sample;
  return (
    <Card title={words.title}>
      <Text mb={16} maw="72ch" c="dimmed" textWrap="pretty">
        {words.hint}
      </Text>
      <div className={css.choices}>
        <SegmentedControl
          aria-label={words.language}
          data={['PHP', 'TypeScript', 'Python']}
          value={programming}
          onChange={(next) => setSample({ programming: next, style })}
        />
        <SegmentedControl
          aria-label={words.style}
          data={[
            { value: 'service', label: 'X-Service-Signature' },
            { value: 'standard', label: 'webhook-signature' },
          ]}
          value={style}
          onChange={(next) => setSample({ programming, style: next })}
        />
      </div>
      <Text mt={10} c="dimmed" fz="0.9rem" textWrap="pretty">
        {words[style]}
      </Text>
      <Box pos="relative" mt={14}>
        <Box pos="absolute" top={8} right={8} bg="var(--card)" bdrs={8}>
          <CopyButton value={`${code}\n`} label={words.copy} />
        </Box>
        <Code text={code} />
      </Box>
      <Text mt={10} c="dimmed" fz="0.9rem" textWrap="pretty">
        {words.twice}
      </Text>
    </Card>
  );
}
