import { bankNow, byId, element, euros, grouped, locale, send, word } from './tools.js';

const FIELDS = ['entity', 'reference', 'amount'];
const KEYS = ['1', '2', '3', 'cancel', '4', '5', '6', 'correct', '7', '8', '9', '', ',', '0', '', 'go'];
/** The field that the keypad fills. */
let current = 'entity';

export function startAtm() {
  byId('atm').addEventListener('submit', pay);
  for (const name of FIELDS) {
    byId(name).addEventListener('focus', () => {
      current = name;
    });
    byId(name).addEventListener('input', () => tidy(name));
  }
}

/** Fills in the reference that the address bar names. */
export function fillAtm(wanted) {
  for (const name of FIELDS) {
    byId(name).value = (wanted.get(name) ?? '').replace('.', ',').slice(0, 10);
    tidy(name);
  }
  byId('atm').scrollIntoView({ block: 'center' });
  document.querySelector('.pay').focus({ preventScroll: true });
}

export function resetAtm() {
  byId('result').replaceChildren();
  byId('keys').replaceChildren(...KEYS.map(makeKey));
}

/** Replaces "amount due" on the receipt by the amount, once it is known. */
export function showAmountDue(payments) {
  const due = document.querySelector('[data-due]');
  const paid = due && payments.find(({ requestId }) => requestId === due.dataset.due);
  if (!paid) return;
  due.textContent = euros(paid.amount);
  delete due.dataset.due;
}

/** Groups digits in threes. */
function tidy(name) {
  const field = byId(name);
  if (name === 'entity') field.value = field.value.replace(/\D/g, '').slice(0, 5);
  if (name === 'reference' && field.selectionStart === field.value.length)
    field.value = grouped(field.value.slice(0, 11));
}

function makeKey(name) {
  if (name === '') return element('span', 'blank');
  const isWord = name.length > 1;
  const key = element('button', isWord ? name : 'digit', isWord ? word(name) : name);
  key.type = name === 'go' ? 'submit' : 'button';
  // Keyboard users type into the fields.
  if (!isWord) key.tabIndex = -1;
  if (name !== 'go') key.addEventListener('click', () => press(name));
  return key;
}

function press(name) {
  if (name === 'cancel') {
    for (const field of FIELDS) byId(field).value = '';
    byId('result').replaceChildren();
    current = 'entity';
  } else if (name === 'correct') {
    byId(current).value = byId(current).value.trim().slice(0, -1).trim();
  } else if (name !== ',' || current === 'amount') {
    const field = byId(current);
    if (isFull(field)) current = FIELDS[FIELDS.indexOf(current) + 1] ?? current;
    const target = byId(current);
    if (!isFull(target)) target.value += name;
    tidy(current);
  }
  for (const field of FIELDS) byId(field).classList.toggle('current', field === current);
}

const isFull = (field) => field.value.length >= field.maxLength;

async function pay(event) {
  event.preventDefault();
  const entity = byId('entity').value.replace(/\s/g, '');
  const reference = byId('reference').value.replace(/\s/g, '');
  const typed = byId('amount').value.replace(/[\s€]/g, '').replace(',', '.');
  if (!/^\d{5}$/.test(entity)) return refuse('badEntity', 'entity');
  if (!/^\d{9}$/.test(reference)) return refuse('badReference', 'reference');
  if (typed !== '' && !(/^\d{1,5}(\.\d{1,2})?$/.test(typed) && Number(typed) > 0))
    return refuse('badAmount', 'amount');
  const button = document.querySelector('.pay');
  button.disabled = true;
  try {
    const amount = typed === '' ? undefined : Number(typed);
    const { status, body } = await send('control/multibanco', { entity, reference, amount });
    if (status === 200) printReceipt(entity, reference, amount, body.requestId);
    else printPaper(status === 404 ? word('unknownReference') : body.error);
  } catch {
    printPaper(word('unavailable'));
  }
  button.disabled = false;
}

function refuse(reason, field) {
  printPaper(word(reason));
  byId(field).focus();
}

function printPaper(reason) {
  const paper = element('div', 'paper failed');
  paper.append(element('strong', '', word('failedTitle')), element('p', '', reason));
  byId('result').replaceChildren(paper);
}

function printReceipt(entity, reference, amount, requestId) {
  const paper = element('div', 'paper paid');
  const list = element('dl');
  const rows = [
    [word('entity'), entity],
    [word('reference'), grouped(reference)],
    [word('amount').replace(' (€)', ''), amount === undefined ? word('amountDue') : euros(amount)],
    [word('date'), new Date(bankNow()).toLocaleString(locale(), { timeZone: 'Europe/Lisbon' })],
    [word('request'), requestId],
  ];
  for (const [name, value] of rows) list.append(element('dt', '', name), element('dd', '', value));
  if (amount === undefined) list.children[5].dataset.due = requestId;
  paper.append(element('strong', '', word('paidTitle')), list, element('p', 'test', word('receiptTest')));
  byId('result').replaceChildren(paper);
}
