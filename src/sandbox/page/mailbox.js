import { createFeed, entry } from './feed.js';
import { byId, element, word } from './tools.js';

const SHOWN_MAX = 6;

export const mailbox = createFeed('control/mails', 'mails', (mails) => {
  byId('mails-note').textContent = note(mails);
  return (mails ?? []).slice(0, SHOWN_MAX).map(item);
});

function note(mails) {
  if (mails === null) return word('mailsElsewhere');
  return mails.length === 0 ? word('noMails') : '';
}

function item({ to, subject, text, createdAt }) {
  const made = entry('mail', to, Date.parse(createdAt), subject);
  const details = element('details');
  details.dataset.key = `${createdAt} ${to} ${subject}`;
  details.append(element('summary', '', word('showMail')), content(text));
  made.append(details);
  return made;
}

/** The text of a mail; its addresses are links. */
function content(text) {
  const made = element('pre');
  made.tabIndex = 0;
  for (const part of text.split(/(https?:\/\/\S+)/)) {
    const link = /^https?:/.test(part) ? element('a', '', part) : null;
    if (link) {
      link.href = part;
      link.target = '_blank';
      link.rel = 'noreferrer';
    }
    made.append(link ?? part);
  }
  return made;
}
