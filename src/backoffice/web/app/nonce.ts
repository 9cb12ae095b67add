/** The word that lets a style element of this page apply; the server puts a fresh one into each page. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// The library that stops the page behind a dialog from scrolling looks for the word under this name alone.
Object.assign(globalThis, { __webpack_nonce__: nonce });
