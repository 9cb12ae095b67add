/** The hosts that the service calls over https (port 443), for the adapter, the command line and the guide. */
export const HOSTS = {
  all: {
    host: 'clientes.eupago.pt',
    purpose: 'pushes, references, inquiries, the payment list and refunds',
  },
} as const;
