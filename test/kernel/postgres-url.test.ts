import pg from 'pg';
import { expect, test } from 'vitest';
import { namesOf } from '../../src/db/postgres/failures.ts';
import { hostsOf, hostUrls } from '../../src/kernel/postgres-url.ts';

test.each([
  ['postgres://u:p@a:5432/db', ['postgres://u:p@a:5432/db'], 'a:5432'],
  ['postgres://u:p@a:1,b:2/db', ['postgres://u:p@a:1/db', 'postgres://u:p@b:2/db'], 'a:1,b:2'],
  [
    'postgresql://a,b/db?target_session_attrs=read-write&x=1',
    ['postgresql://a/db?x=1', 'postgresql://b/db?x=1'],
    'a,b',
  ],
  ['postgres://u@/db?host=/run', ['postgres://u@/db?host=/run'], ''],
  ['postgres://h/db?x=1&target_session_attrs=read-write', ['postgres://h/db?x=1'], 'h'],
  ['postgres://h/db?sslmode=require&x=1', ['postgres://h/db?sslmode=verify-full&x=1'], 'h'],
  [
    'postgres://a,b/db?sslmode=prefer',
    ['a', 'b'].map((h) => `postgres://${h}/db?sslmode=verify-full`),
    'a,b',
  ],
  ['postgres://h/db?sslmode=disable', ['postgres://h/db?sslmode=disable'], 'h'],
  [
    'postgres://h/db?uselibpqcompat=true&sslmode=require',
    ['postgres://h/db?uselibpqcompat=true&sslmode=require'],
    'h',
  ],
])('%s names its hosts', (url, urls, hosts) => {
  expect(hostUrls(url)).toEqual(urls);
  expect(hostsOf(url)).toBe(hosts);
});

test('a name with a bare percent sign is shown as it was written', () => {
  expect(namesOf('postgres://us%er:p@h/d%b')).toEqual({ server: 'h', database: 'd%b', user: 'us%er' });
  expect(namesOf('postgres://us%40er:p@h/d%25b')).toEqual({ server: 'h', database: 'd%b', user: 'us@er' });
});

test('no part of a password with an at sign is shown as a host', () => {
  expect(namesOf('postgres://u:pre@cious@h/d')).toEqual({ server: 'h', database: 'd', user: 'u' });
  expect(hostUrls('postgres://u:pre@cious,1@a,b/d')).toEqual([
    'postgres://u:pre@cious,1@a/d',
    'postgres://u:pre@cious,1@b/d',
  ]);
});

test.each(['postgres://u%40:p@h/d%40b', 'postgres://u:p@h/d%25b%a', 'postgres://u:p%Zq%AF@h/d%'])(
  'the names in %s are shown as the driver reads them',
  (url) => {
    const { user, database } = new pg.Client(hostUrls(url)[0]);
    expect(namesOf(url)).toEqual({ server: 'h', user, database });
  },
);
