import { type Html, html } from '../html.ts';
import type { Language } from '../pages.ts';

const WORDS: Record<
  Language,
  Record<'title' | 'text' | 'full', string> & Record<'failed' | 'cancelled' | 'late', readonly string[]>
> = {
  en: {
    title: 'The states of a transaction',
    text: 'init makes a transaction pending. Money in full makes it paid. A rejection, a decline or an expired reference makes it failed. A push that lapses, or 24 hours without a live method, makes it cancelled. From failed and from cancelled, late money still makes it paid.',
    full: 'money in full',
    late: ['late money'],
    failed: ['rejected,', 'declined, or', 'reference expired'],
    cancelled: ['push lapsed, or', '24 h without', 'a live method'],
  },
  pt: {
    title: 'Os estados de uma transação',
    text: 'init deixa a transação pendente. O dinheiro completo torna-a paga. Uma recusa do cliente ou do banco ou uma referência expirada torna-a falhada. Uma notificação sem resposta, ou 24 horas sem método ativo, torna-a cancelada. De falhada e de cancelada, o dinheiro que chega tarde ainda a torna paga.',
    full: 'valor completo',
    late: ['dinheiro', 'que chega tarde'],
    failed: ['recusada,', 'não autorizada, ou', 'referência expirada'],
    cancelled: ['sem resposta, ou', '24 h sem', 'método ativo'],
  },
};

interface Box {
  readonly state: string;
  readonly event: string | null;
  readonly x: number;
  readonly y: number;
}

const BOX = { width: 140, height: 54 };
const BOXES: readonly Box[] = [
  { state: 'pending', event: null, x: 220, y: 70 },
  { state: 'failed', event: 'payment.failed', x: 72, y: 235 },
  { state: 'cancelled', event: 'payment.cancelled', x: 368, y: 235 },
  { state: 'paid', event: 'payment.success', x: 220, y: 400 },
];
const LINE_HEIGHT = 17;

/** The state diagram, in the colours of the page. */
export function stateDiagram(language: Language): Html {
  const words = WORDS[language];
  const label = (x: number, y: number, lines: readonly string[], anchor: 'start' | 'middle' | 'end') =>
    html`${lines.map((line, i) => html`<text class="label" x="${x}" y="${y + i * LINE_HEIGHT}" text-anchor="${anchor}">${line}</text>`)}`;
  return html`<figure class="diagram"><svg viewBox="0 0 440 440" role="img" aria-labelledby="states-title states-text">
<title id="states-title">${words.title}</title><desc id="states-text">${words.text}</desc>
<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path class="tip" d="M0 0 10 5 0 10z"/></marker></defs>
<circle class="dot" cx="220" cy="12" r="6"/>
<path class="arrow" d="M220 18V41"/>
<path class="arrow" d="M220 97V371"/>
<path class="arrow" d="M150 70H86Q72 70 72 84V206"/>
<path class="arrow" d="M290 70H354Q368 70 368 84V206"/>
<path class="arrow late" d="M72 262V386Q72 400 86 400H148"/>
<path class="arrow late" d="M368 262V386Q368 400 354 400H292"/>
${label(230, 34, ['init'], 'start')}
${label(82, 118, words.failed, 'start')}
${label(358, 118, words.cancelled, 'end')}
<rect class="plate" x="164" y="292" width="112" height="24" rx="4"/>${label(220, 309, [words.full], 'middle')}
${label(82, 350, words.late, 'start')}
${label(358, 350, words.late, 'end')}
${BOXES.map(drawn)}
</svg></figure>`;
}

function drawn({ state, event, x, y }: Box): Html {
  const [left, top] = [x - BOX.width / 2, y - BOX.height / 2];
  return html`<g class="state ${state}"><rect x="${left}" y="${top}" width="${BOX.width}" height="${BOX.height}" rx="10"/>
<text class="name" x="${x}" y="${event === null ? y + 5 : y - 3}" text-anchor="middle">${state}</text>${event === null ? null : html`<text class="event" x="${x}" y="${y + 16}" text-anchor="middle">${event}</text>`}</g>`;
}
