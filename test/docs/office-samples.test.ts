import { expect, test } from 'vitest';
import { RUNNERS, serveSample } from './sample-runners.ts';

const [PHP] = RUNNERS.filter(({ name }) => name === 'PHP');

test.skipIf(PHP?.missing !== null).each(['service', 'verify'])(
  'the PHP sample %s of the back office does not answer 200 when the event could not be processed',
  async (name) => {
    if (PHP === undefined) throw new Error('no runner');
    const { url } = await serveSample(name, PHP, {}, (code) =>
      code
        // As PHP does without a php.ini.
        .replace(/^\/\/ In the script.*/m, "ini_set('display_errors', '1');")
        .replace(/^\/\/ if \(!isGenuine.*/m, 'if (false) {')
        .replace(/^\/\/ \/\/ Act once.*/m, 'throw new Error();')
        .replace(/^\/\/ /gm, ''),
    );
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(500);
  },
);
