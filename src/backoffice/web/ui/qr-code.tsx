import { useMemo } from 'react';
import { encode } from 'uqr';
import css from './qr-code.module.css';

/** A QR code as one SVG path. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { size, path } = useMemo(() => qrPath(text), [text]);
  return (
    <svg className={css.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path} fill="#101828" shapeRendering="crispEdges" />
    </svg>
  );
}

/** Returns an SVG file of the QR code, for print. */
export function qrFile(text: string): Blob {
  const { size, path } = qrPath(text);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size * 16}" height="${size * 16}"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}" shape-rendering="crispEdges"/></svg>`;
  return new Blob([svg], { type: 'image/svg+xml' });
}

function qrPath(text: string): { size: number; path: string } {
  // ISO/IEC 18004 requires a margin of four modules; with less, scanners miss a code that is printed on a coloured surface.
  const code = encode(text, { border: 4 });
  const squares = code.data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')));
  return { size: code.size, path: squares.join('') };
}
