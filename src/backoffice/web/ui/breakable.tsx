import { Fragment } from 'react';

const JOINT = /(?<=[@._])(?=[^@._])/;

/** An e-mail address or order ID that breaks after @, a full stop or an underscore, before it breaks within a word. */
export function Breakable({ text }: { readonly text: string }) {
  return (
    <span>
      {text.split(JOINT).map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity
        <Fragment key={place}>
          {place > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}
