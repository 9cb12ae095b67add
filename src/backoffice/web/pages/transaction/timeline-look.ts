import {
  IconArrowBackUp,
  IconBuildingBank,
  IconCheck,
  IconClockX,
  IconCoinEuro,
  IconDeviceMobile,
  IconDeviceMobileCheck,
  IconHandStop,
  IconLock,
  IconMessage,
  IconQuestionMark,
  IconReceiptRefund,
  IconSend,
  IconSendOff,
  IconShoppingBag,
  IconUser,
  IconX,
} from '@tabler/icons-react';
import type { Entry } from './data.ts';

type Tone = 'good' | 'bad' | 'warn' | 'wait' | 'quiet';
type Icon = typeof IconX;

interface Look {
  Icon: Icon;
  tone: Tone;
}

const REFUND_TONES = { requested: 'wait', done: 'quiet', failed: 'bad' } as const;

/** The icon and colour of each timeline entry. */
export function lookOf(entry: Entry): Look {
  switch (entry.kind) {
    case 'created':
      return { Icon: IconShoppingBag, tone: 'quiet' };
    case 'attempt-begun':
      return { Icon: entry.method === 'MBWAY' ? IconDeviceMobile : IconBuildingBank, tone: 'quiet' };
    case 'attempt-accepted':
      return { Icon: entry.method === 'MBWAY' ? IconDeviceMobileCheck : IconBuildingBank, tone: 'wait' };
    case 'attempt-unknown':
      return { Icon: IconQuestionMark, tone: 'warn' };
    case 'attempt-ended':
      return entry.ending === 'lapsed' || entry.ending === 'expired'
        ? { Icon: IconClockX, tone: 'quiet' }
        : { Icon: IconHandStop, tone: 'bad' };
    case 'receipt':
      return { Icon: IconCoinEuro, tone: entry.flags.length === 0 ? 'good' : 'warn' };
    case 'held':
      return { Icon: IconLock, tone: 'warn' };
    case 'refund':
      return { Icon: IconReceiptRefund, tone: REFUND_TONES[entry.stage] };
    case 'action':
      return { Icon: entry.action === 'delivery.resent' ? IconArrowBackUp : IconUser, tone: 'quiet' };
    case 'event':
      return entry.event === 'payment.success'
        ? { Icon: IconCheck, tone: 'good' }
        : { Icon: IconX, tone: entry.event === 'payment.failed' ? 'bad' : 'quiet' };
    case 'delivery':
      return deliveryLook(entry.state);
    case 'note':
      return { Icon: entry.note === 'note' ? IconMessage : IconUser, tone: 'quiet' };
  }
}

function deliveryLook(state: Extract<Entry, { kind: 'delivery' }>['state']): Look {
  switch (state) {
    case 'delivered':
      return { Icon: IconSend, tone: 'good' };
    case 'undelivered':
      return { Icon: IconSendOff, tone: 'bad' };
    case 'skipped':
      return { Icon: IconSendOff, tone: 'quiet' };
    case 'due':
      return { Icon: IconSend, tone: 'wait' };
  }
}
