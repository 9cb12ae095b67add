import { Fragment } from 'react';

/** After @, a full stop or an underscore, as in an e-mail address or an order ID. */
const JOINT = /(?<=[@._])(?=[^@._])/;

/** A long word that breaks at its joints before it breaks elsewhere. */
export function Breakable({ text, joint = JOINT }: { readonly text: string; readonly joint?: RegExp }) {
  return (
    <span>
      {text.split(joint).map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity
        <Fragment key={place}>
          {place > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}
