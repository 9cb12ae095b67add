import css from './delivery.module.css';

/** Pretty-prints and highlights JSON; other text is shown unchanged. */
export function Json({ text, label }: { readonly text: string; readonly label: string }) {
  const pretty = indented(text);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={css.sheet} tabIndex={0} aria-label={label}>
      <pre className={css.code}>{pretty === null ? text : pieces(pretty)}</pre>
    </section>
  );
}

function indented(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : null;
  } catch {
    return null;
  }
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/g;

function pieces(json: string) {
  const parts: React.ReactNode[] = [];
  let done = 0;
  for (const match of json.matchAll(TOKEN)) {
    const [all, string, colon] = match;
    if (match.index > done) parts.push(json.slice(done, match.index));
    const kind = string === undefined ? css.value : colon === undefined ? css.string : css.member;
    parts.push(
      <span key={match.index} className={kind}>
        {string ?? all}
      </span>,
    );
    if (colon !== undefined) parts.push(colon);
    done = match.index + all.length;
  }
  parts.push(json.slice(done));
  return parts;
}
