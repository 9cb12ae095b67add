// Completes the payment page, which works without it: live result, countdown, copy and print buttons, another try, return to
// the store.
const POLL_MS = 700;
const POLL_MS_MAX = 10_000;
const ANSWER_MS_MAX = 10_000;
/** WCAG 2.2.1: a time limit that can be stopped leaves at least 20 seconds to do so. */
const RETURN_MS = 20_000;
const { body } = document;
const SENDING_MS_MAX = Number(body.dataset.stepMs);

if ('live' in body.dataset) {
  document.querySelector('[data-updates]').hidden = false;
  setTimeout(poll, POLL_MS, POLL_MS);
}

async function poll(waitedMs) {
  let waitMs = POLL_MS;
  if (!document.hidden) {
    // Without a limit, a request lost on a mobile network would end the live result.
    const late = new AbortController();
    setTimeout(() => late.abort(), ANSWER_MS_MAX);
    try {
      const answer = await fetch(`${location.pathname}/status`, { cache: 'no-store', signal: late.signal });
      if (!answer.ok) throw new Error(answer.statusText);
      const { version } = await answer.json();
      if (version !== body.dataset.version) {
        location.replace(location.pathname + location.search);
        // The network may lose this request too.
        waitMs = ANSWER_MS_MAX;
      }
    } catch {
      // Offline, or the service is restarting: the page stays and asks less often.
      waitMs = Math.min(2 * waitedMs, POLL_MS_MAX);
    }
  }
  setTimeout(poll, waitMs, waitMs);
}

for (const shown of document.querySelectorAll('[data-seconds]')) {
  const label = shown.previousElementSibling;
  label.textContent = label.dataset.countdown;
  const [started, startedAt] = [performance.now(), Date.now()];
  const tick = () => {
    // One of them stands still while the device sleeps, the other one may be set back.
    const passed = Math.max(performance.now() - started, Date.now() - startedAt);
    const left = Math.max(0, Math.ceil(Number(shown.dataset.seconds) - passed / 1000));
    shown.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
    if (left > 0) setTimeout(tick, 250);
  };
  tick();
}

for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false;
  const label = button.firstChild;
  const before = label.data;
  let timer;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
    } catch {
      return getSelection().selectAllChildren(button.previousElementSibling);
    }
    label.data = button.dataset.copied;
    // A screen reader does not announce the new name of a button.
    const status = document.querySelector('[data-copy-status]');
    const said = button.textContent;
    status.textContent = said;
    clearTimeout(timer);
    timer = setTimeout(() => {
      label.data = before;
      // Another button may have been pressed since.
      if (status.textContent === said) status.textContent = '';
    }, 2000);
  });
}

for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => print());
}

const fields = [...document.querySelectorAll('[name=phoneNumber], [name=amount]')];
let typed = typedBefore();
for (const field of fields) field.value ||= typed?.[field.name] ?? '';
keepTyped();

/** What the shopper typed in this tab for this order, or on the page that redirected here. A link's page serves many shoppers. */
function typedBefore() {
  try {
    const { path, values } = JSON.parse(sessionStorage.typed);
    const [{ redirectCount }] = performance.getEntriesByType('navigation');
    const isSameOrder = path === location.pathname && 'version' in body.dataset;
    return isSameOrder || redirectCount > 0 ? values : null;
  } catch {
    return null;
  }
}

/** Keeps what was typed for another try, until the payment has ended. Other tabs and other orders never get it. */
function keepTyped() {
  const isOver = fields.length === 0 && !('live' in body.dataset);
  try {
    if (typed === null || isOver) delete sessionStorage.typed;
    else sessionStorage.typed = JSON.stringify({ path: location.pathname, values: typed });
  } catch {
    // Storage is blocked: the shopper types again.
  }
}

let isSending = false;
const setSending = (value) => {
  isSending = value;
  for (const button of document.querySelectorAll('.steps button'))
    button.setAttribute('aria-disabled', String(value));
};
for (const form of document.querySelectorAll('form')) {
  form.addEventListener('submit', (event) => {
    // A second press while the bank answers would be a second request, or another method as well.
    if (isSending) return event.preventDefault();
    setSending(true);
    typed = { ...typed, ...Object.fromEntries(fields.map(({ name, value }) => [name, value])) };
    keepTyped();
    // The page is not told when the shopper stops a submission or the network loses it.
    setTimeout(setSending, SENDING_MS_MAX, false);
  });
}
// A browser that goes back can show the page as the submission left it.
addEventListener('pageshow', ({ persisted }) => persisted && setSending(false));

const back = document.querySelector('[data-return]');
if (back !== null) {
  const returning = document.querySelector('[data-returning]');
  returning.hidden = false;
  const timer = setTimeout(() => location.assign(back.href), RETURN_MS);
  document.querySelector('[data-stay]').addEventListener('click', () => {
    clearTimeout(timer);
    returning.hidden = true;
    back.focus();
  });
}
