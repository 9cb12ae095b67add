/** The CSP nonce of this page; the server generates one per response. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// react-remove-scroll reads the nonce from this global.
Object.assign(globalThis, { __webpack_nonce__: nonce });
