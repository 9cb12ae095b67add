/** The hosts that the service calls over https (port 443), for the adapter, the command line and the guide. */
export const HOSTS = {
  payments: {
    host: 'api.ifthenpay.com',
    purpose: 'pushes, references, inquiries, the payment list and refunds',
  },
  refunds: {
    host: 'ifthenpay.com',
    purpose: 'refunds, only with SERVICE_IFTHENPAY_REFUND_PATH=/api/endpoint/payments/refund',
  },
  activation: {
    host: 'www.ifthenpay.com',
    purpose: 'the registration of the callback URL',
  },
} as const;
