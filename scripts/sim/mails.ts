import type { SendMailOptions } from 'nodemailer';
import { newUser } from '../../src/backoffice/people/create-user.ts';
import { insertMember } from '../../src/backoffice/people/member-store.ts';
import { insertUser } from '../../src/backoffice/people/user-store.ts';
import { MailRefused } from '../../src/mail/transport.ts';
import { readerOf } from './calls.ts';
import { faultOfSent } from './checks/mails.ts';
import { exchange, noResponse } from './exchange.ts';
import { Part } from './part.ts';
import type { Service } from './service.ts';

/** The longest exchange that the service allows. */
const EXCHANGE_MS_MAX = 30_000;
const HANDLINGS = { unreachable: 2, hang: 2, answerLost: 3, busy: 2, refused: 1 };

/** The mail server: the mails it accepted, its responses, and the simulated faults. */
export class Mails extends Part {
  /** The process that received the acceptance of a mail, by mail id. */
  readonly taken = new Map<string, Service>();
  /** Mails that the server refused permanently. */
  readonly refused = new Set<string>();
  operatorId = '';

  /** Creates an operator, and an owner of each shop whose e-mail address identifies the shop. */
  async createReaders({ deps }: Service): Promise<void> {
    const shops = this.world.shops.map(({ id }) => id);
    for (const merchant_id of [null, ...shops]) {
      const operator = merchant_id === null ? 1 : 0;
      const none = { password_hash: '', password_change: 0, unverified: 0 } as const;
      const user = newUser(deps, readerOf(merchant_id), { ...none, operator });
      await deps.db.unit(async (tx) => {
        await insertUser(tx, user);
        if (merchant_id === null) {
          this.operatorId = user.id;
          return;
        }
        await insertMember(tx, { user_id: user.id, merchant_id, role: 'owner', created_at: user.created_at });
      });
    }
  }

  async send(service: Service, mail: SendMailOptions): Promise<void> {
    if (service.dead) return service.never();
    const world = this.world;
    const prng = this.prng;
    const id = String(mail.messageId).slice(1).replace(/@.*/, '');
    const fault = faultOfSent(world, service, id, mail);
    if (fault !== null) world.fail(fault.name, fault.what);
    const isFaulty = prng.chance(world.faults.mail);
    const handling = isFaulty ? prng.weighted(HANDLINGS) : 'ok';
    world.count(`mail ${handling}`);
    const arrives = handling !== 'unreachable' && handling !== 'hang';
    const answers = arrives && handling !== 'answerLost';
    const answer = await exchange<typeof handling>(service, world, {
      name: 'mail',
      arrivesMs: arrives ? prng.int(10, 2000) : null,
      answersMs: answers ? prng.int(10, 2000) : null,
      failsMs: handling === 'hang' ? EXCHANGE_MS_MAX : prng.int(4000, EXCHANGE_MS_MAX),
      work: () => handling,
      failure: () => noResponse('unknown'),
    });
    if (answer === 'busy') throw new Error('451 try later');
    if (answer === 'refused') {
      this.refused.add(id);
      throw new MailRefused('550 no such user');
    }
    this.taken.set(id, service);
  }
}
