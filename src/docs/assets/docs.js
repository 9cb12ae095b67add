// Optional comforts: one code language at a time, and a copy button.
const KEY = 'docs-language';
const groups = [...document.querySelectorAll('.tabs')].map(makeTabs);
showEverywhere(read());
for (const figure of document.querySelectorAll('.code')) addCopy(figure);

/** Returns the chosen language, or null if the browser stores nothing. */
function read() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function keep(label) {
  try {
    localStorage.setItem(KEY, label);
  } catch {
    // The browser stores nothing.
  }
}

function makeTabs(box, number) {
  const list = document.createElement('div');
  list.setAttribute('role', 'tablist');
  const panels = [...box.querySelectorAll('.code')];
  const tabs = panels.map((panel, index) => {
    const tab = document.createElement('button');
    tab.type = 'button';
    tab.id = `tab-${number}-${index}`;
    tab.textContent = panel.dataset.label;
    tab.setAttribute('role', 'tab');
    panel.id = `panel-${number}-${index}`;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', tab.id);
    tab.setAttribute('aria-controls', panel.id);
    tab.addEventListener('click', () => choose(tab));
    return tab;
  });
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
    choose(next);
    next.focus();
  });
  list.append(...tabs);
  box.prepend(list);
  box.classList.add('ready');
  const group = { tabs, panels };
  show(group, tabs[0].textContent);
  return group;
}

function choose(tab) {
  // Keeps the clicked tab in place while blocks above it change height.
  const before = tab.getBoundingClientRect().top;
  showEverywhere(tab.textContent);
  window.scrollBy(0, tab.getBoundingClientRect().top - before);
  keep(tab.textContent);
}

function showEverywhere(label) {
  for (const group of groups) show(group, label);
}

function show({ tabs, panels }, label) {
  if (!tabs.some((tab) => tab.textContent === label)) return;
  tabs.forEach((tab, index) => {
    const chosen = tab.textContent === label;
    tab.setAttribute('aria-selected', String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    panels[index].hidden = !chosen;
  });
}

function addCopy(figure) {
  if (navigator.clipboard === undefined) return;
  const { copy, copied } = document.body.dataset;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = copy;
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(`${figure.querySelector('code').textContent}\n`);
      button.textContent = copied;
      setTimeout(() => {
        button.textContent = copy;
      }, 2000);
    } catch {
      // The browser refused; the text can still be selected.
    }
  });
  figure.append(button);
}
