import { request } from 'undici';
import { BenchError } from './contest.ts';
import { type Installation, service } from './service.ts';

const PASSWORD = 'quatro barcos verdes 9';

/** Makes an operator and signs it in at a service that runs; resolves to the Cookie header's value. */
export async function signIn(installation: Installation, port: number): Promise<string> {
  const email = 'bench@bench-shop.example';
  const command = ['user', 'create', '--email', email, '--role', 'operator'];
  const { password } = (await service(installation.env, command)) as { password: string };
  const origin = `http://127.0.0.1:${port}`;
  let cookie = '';
  const mutate = async (name: string, input: object) => {
    const answer = await request(`${origin}/backoffice/trpc/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-backoffice': '1', origin, cookie },
      body: JSON.stringify(input),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new BenchError(`${name} answered ${answer.statusCode}: ${text}`);
    const set = [answer.headers['set-cookie']].flat()[0];
    if (set !== undefined) cookie = set.split(';', 1)[0] ?? '';
  };
  await mutate('session.signIn', { email, password });
  // The first password must be changed before anything else.
  await mutate('account.changePassword', { current: password, password: PASSWORD });
  return cookie;
}
