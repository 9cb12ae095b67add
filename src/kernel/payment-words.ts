/** The names of the states of a payment and of its divergences, on the pages and in downloads. */
export const PAYMENT_WORDS = {
  en: {
    pending: 'Pending',
    paid: 'Paid',
    failed: 'Failed',
    cancelled: 'Cancelled',
    late: 'Late',
    duplicate: 'Duplicate',
    under: 'Short',
    over: 'Excess',
  },
  pt: {
    pending: 'Pendente',
    paid: 'Pago',
    failed: 'Falhou',
    cancelled: 'Cancelado',
    late: 'Fora do prazo',
    duplicate: 'Em duplicado',
    under: 'Valor inferior',
    over: 'Valor superior',
  },
};
