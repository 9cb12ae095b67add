import type { ErrorCode } from '../kernel/errors.ts';
import type { Language } from './pages.ts';

/** Whether the same call can be sent again: never as it is, when somebody mended something, or after a wait. */
export type Retry = 'no' | 'mended' | 'wait' | 'never';

interface Words {
  /** What happened. */
  readonly means: string;
  /** What the merchant's program, or its developer, does now. */
  readonly act: string;
}

export interface ErrorNote extends Record<Language, Words> {
  readonly retry: Retry;
  /** What the shopper reads, in Portuguese; null when it is nobody's but the developer's. */
  readonly shopper: string | null;
}

export const RETRY_WORDS: Record<Retry, Record<Language, string>> = {
  no: { en: 'No: mend the call first', pt: 'Não: corrija primeiro a chamada' },
  mended: { en: 'Yes, with what the shopper corrected', pt: 'Sim, com o que o cliente corrigir' },
  wait: { en: 'Yes, after a wait', pt: 'Sim, depois de esperar' },
  never: { en: 'Never: wait for the outcome', pt: 'Nunca: espere pelo desfecho' },
};

/** The shop is at fault and the shopper can do nothing about it. */
const SHOP_FAULT =
  'Não foi possível iniciar o pagamento. Não foi cobrado nada. Tente de novo daqui a pouco ou contacte a loja.';

/** What every code means to whoever meets it. The type makes the list complete. */
export const ERROR_NOTES: Record<ErrorCode, ErrorNote> = {
  INVALID_BODY: {
    retry: 'no',
    shopper: SHOP_FAULT,
    en: {
      means:
        'The request could not be read: no JSON object, not UTF-8, more than 256 KiB, another content type than `application/json`, or no sound HTTP.',
      act: 'Send one JSON object with `Content-Type: application/json`. A fault of the program, not of the shopper.',
    },
    pt: {
      means:
        'O pedido não pôde ser lido: não é um objeto JSON, não está em UTF-8, passa de 256 KiB, traz outro tipo de conteúdo que não `application/json` ou não é HTTP válido.',
      act: 'Envie um objeto JSON com `Content-Type: application/json`. O erro é do programa, não do cliente.',
    },
  },
  INVALID_FIELDS: {
    retry: 'mended',
    shopper: 'Confirme os dados assinalados e tente de novo.',
    en: {
      means:
        'One or more members are missing or wrong; `fields` names all of them at once. Nothing is coerced: `"12"` is not an amount.',
      act: 'Show the shopper the fields that are theirs, such as `phoneNumber` or `customer.email`; the rest is for the developer.',
    },
    pt: {
      means:
        'Falta um ou mais membros, ou estão errados; `fields` indica todos de uma vez. Nada é convertido: `"12"` não é um valor.',
      act: 'Mostre ao cliente os campos que são dele, como `phoneNumber` ou `customer.email`; os outros são para o programador.',
    },
  },
  CHECKOUT_DATA_REQUIRED: {
    retry: 'mended',
    shopper: 'Preencha o nome e o e-mail para continuar.',
    en: {
      means:
        "Until the account's first paid sale, `customer.name`, `customer.email` and a non-empty `items` are required.",
      act: 'Send what `fields` names. Send it always: it costs nothing, and this error cannot come back.',
    },
    pt: {
      means:
        'Até à primeira venda paga da conta, `customer.name`, `customer.email` e pelo menos um elemento em `items` são obrigatórios.',
      act: 'Envie o que `fields` indica. Envie-o sempre: não custa nada e este erro deixa de poder acontecer.',
    },
  },
  STORE_DOMAIN_REQUIRED: {
    retry: 'no',
    shopper: SHOP_FAULT,
    en: {
      means: 'Neither `storeUrl` nor a usable `Origin` or `Referer` says which store takes the payment.',
      act: 'Send `storeUrl` with every init.',
    },
    pt: {
      means: 'Nem `storeUrl` nem um `Origin` ou `Referer` utilizável diz que loja recebe o pagamento.',
      act: 'Envie `storeUrl` em todas as chamadas a init.',
    },
  },
  TRANSACTION_NOT_PENDING: {
    retry: 'no',
    shopper: 'Este pagamento já foi concluído ou terminou. Veja o estado da sua encomenda.',
    en: {
      means: 'The transaction is paid, failed or cancelled, or is being reviewed. It takes no further steps.',
      act: 'Read its status. Paid: show the confirmation. Failed or cancelled: call init again with the same `orderId`, and go on with the new `transactionId`. Still pending: wait for the webhook.',
    },
    pt: {
      means:
        'A transação está paga, falhou ou foi cancelada, ou está em análise. Não aceita mais nenhum passo.',
      act: 'Leia o estado. Paga: mostre a confirmação. Falhada ou cancelada: chame init de novo com o mesmo `orderId` e continue com o novo `transactionId`. Ainda pendente: espere pelo webhook.',
    },
  },
  MBWAY_PUSH_OPEN: {
    retry: 'wait',
    shopper:
      'Já há um pedido de pagamento por responder. Abra a app MB WAY para o aceitar ou recusar, ou aguarde uns minutos.',
    en: {
      means:
        'A push of this transaction waits on another phone, or the bank has not said yet what became of it. The same number again would be answered 200 while the push is open.',
      act: 'Wait until the push is settled: 4 minutes, plus a short grace. Meanwhile a Multibanco reference can be offered.',
    },
    pt: {
      means:
        'Há uma notificação desta transação à espera noutro telemóvel, ou o banco ainda não disse o que lhe aconteceu. Com o mesmo número e a notificação aberta, a resposta seria 200.',
      act: 'Espere até a notificação ficar resolvida: 4 minutos e uma pequena tolerância. Entretanto pode oferecer uma referência Multibanco.',
    },
  },
  MBWAY_PHONE_REJECTED: {
    retry: 'mended',
    shopper: 'Este número não tem MB WAY. Confirme o número ou escolha pagar por Multibanco.',
    en: {
      means: 'MB WAY does not know this phone number. Nothing was started; the transaction is still pending.',
      act: 'Ask for the number used in the MB WAY app and repeat the step with the same `transactionId`.',
    },
    pt: {
      means: 'O MB WAY não conhece este número. Nada foi iniciado; a transação continua pendente.',
      act: 'Peça o número usado na app MB WAY e repita o passo com o mesmo `transactionId`.',
    },
  },
  AMOUNT_ABOVE_METHOD_LIMIT: {
    retry: 'no',
    shopper: 'Este valor é demasiado alto para MB WAY. Escolha pagar por Multibanco.',
    en: {
      means: 'The amount is above what MB WAY takes.',
      act: 'Offer Multibanco for the same transaction. Better: do not offer MB WAY above the limit.',
    },
    pt: {
      means: 'O valor ultrapassa o que o MB WAY aceita.',
      act: 'Ofereça Multibanco para a mesma transação. Melhor ainda: não mostre MB WAY acima do limite.',
    },
  },
  IDEMPOTENCY_KEY_REUSED: {
    retry: 'no',
    shopper: SHOP_FAULT,
    en: {
      means: 'The same `Idempotency-Key` came earlier with another input.',
      act: 'Make one key for each attempt at an order, such as `ORDER-1001-2`, and keep it with that attempt. A new attempt is a new key.',
    },
    pt: {
      means: 'A mesma `Idempotency-Key` já veio com outros dados.',
      act: 'Crie uma chave por cada tentativa de uma encomenda, como `ORDER-1001-2`, e guarde-a com essa tentativa. Nova tentativa, nova chave.',
    },
  },
  UNAUTHORIZED: {
    retry: 'no',
    shopper: SHOP_FAULT,
    en: {
      means: 'The `Authorization` header is missing, or its key is not valid (any more).',
      act: 'Send `Authorization: Bearer <API_KEY>` with the key of the API-key settings. After a change of key, deploy the new one.',
    },
    pt: {
      means: 'Falta o cabeçalho `Authorization`, ou a chave não é (ou já não é) válida.',
      act: 'Envie `Authorization: Bearer <API_KEY>` com a chave das definições. Depois de mudar de chave, instale a nova.',
    },
  },
  ACCOUNT_INACTIVE: {
    retry: 'no',
    shopper: 'De momento a loja não está a aceitar pagamentos. Não foi cobrado nada.',
    en: {
      means: 'The key is right, and the account is not active.',
      act: 'Contact the operator of the service. Payments that are under way still settle, and their webhooks still come.',
    },
    pt: {
      means: 'A chave está certa, mas a conta não está ativa.',
      act: 'Contacte o operador do serviço. Os pagamentos em curso continuam a ser registados e os seus webhooks continuam a chegar.',
    },
  },
  DOMAIN_NOT_ALLOWED: {
    retry: 'no',
    shopper: SHOP_FAULT,
    en: {
      means:
        "The domain of `storeUrl` is not among the account's store domains. `shop.pt` also admits `www.shop.pt`; other subdomains need an entry of their own, or `*.shop.pt`.",
      act: 'Register the domain in the back office, or send the URL of a registered store.',
    },
    pt: {
      means:
        'O domínio de `storeUrl` não está entre os domínios de loja da conta. `shop.pt` admite também `www.shop.pt`; outros subdomínios precisam de uma entrada própria, ou de `*.shop.pt`.',
      act: 'Registe o domínio no back office, ou envie o URL de uma loja registada.',
    },
  },
  NOT_FOUND: {
    retry: 'no',
    shopper: SHOP_FAULT,
    en: {
      means: 'There is nothing at this path, or not with this method.',
      act: 'Check the base address, which ends in `/api/v1`, the path and the method.',
    },
    pt: {
      means: 'Não há nada neste caminho, ou não com este método.',
      act: 'Confirme o endereço base, que termina em `/api/v1`, o caminho e o método.',
    },
  },
  TRANSACTION_NOT_FOUND: {
    retry: 'no',
    shopper: SHOP_FAULT,
    en: {
      means: 'This account has no transaction with that id.',
      act: 'Send the `transactionId` that init returned, with the key of the same account.',
    },
    pt: {
      means: 'Esta conta não tem nenhuma transação com esse identificador.',
      act: 'Envie o `transactionId` que init devolveu, com a chave da mesma conta.',
    },
  },
  RATE_LIMITED: {
    retry: 'wait',
    shopper: 'Há muitos pedidos neste momento. Tente de novo dentro de um minuto.',
    en: {
      means: 'Too many POST requests from this address in the current minute. Nothing was done.',
      act: 'Wait for the seconds in `Retry-After`, then longer each time. Every call can be repeated, since none was carried out.',
    },
    pt: {
      means: 'Demasiados pedidos POST deste endereço no minuto em curso. Nada foi feito.',
      act: 'Espere os segundos indicados em `Retry-After` e depois cada vez mais. Pode repetir qualquer chamada, porque nenhuma foi executada.',
    },
  },
  INTERNAL_ERROR: {
    retry: 'wait',
    shopper:
      'Ocorreu um erro inesperado. Aguarde um momento e veja o estado da sua encomenda antes de tentar de novo.',
    en: {
      means: 'An internal error of the service. What it did before is not told.',
      act: 'Repeat `init` only with its `Idempotency-Key`. Before a step is repeated, read the status. If it persists, send the `requestId` to the operator.',
    },
    pt: {
      means: 'Um erro interno do serviço. Não se diz o que chegou a ser feito.',
      act: 'Repita `init` apenas com a sua `Idempotency-Key`. Antes de repetir um passo, leia o estado. Se persistir, envie o `requestId` ao operador.',
    },
  },
  BANK_UNAVAILABLE: {
    retry: 'wait',
    shopper: 'A ligação ao banco falhou. Não foi cobrado nada. Tente de novo dentro de momentos.',
    en: {
      means: 'The bank could not be reached. No push was sent and no reference was made.',
      act: 'Repeat the same step after a second or two, three times at most; then offer the other method.',
    },
    pt: {
      means:
        'Não foi possível contactar o banco. Nenhuma notificação foi enviada e nenhuma referência foi criada.',
      act: 'Repita o mesmo passo ao fim de um ou dois segundos, três vezes no máximo; depois ofereça o outro método.',
    },
  },
  BANK_OUTCOME_UNKNOWN: {
    retry: 'never',
    shopper:
      'Estamos a confirmar o pedido com o banco. Se receber a notificação MB WAY, pode aceitá-la: será cobrado uma só vez.',
    en: {
      means:
        'The push was handed to the bank and its answer never came. It may be on the phone, and the shopper may accept it.',
      act: 'Send no other push and do not call init again. Show "waiting for confirmation" and wait for the webhook, or poll the status.',
    },
    pt: {
      means:
        'A notificação foi entregue ao banco e a resposta nunca chegou. Pode estar no telemóvel, e o cliente pode aceitá-la.',
      act: 'Não envie outra notificação nem chame init de novo. Mostre "a aguardar confirmação" e espere pelo webhook, ou consulte o estado.',
    },
  },
  BANK_REFUSED: {
    retry: 'wait',
    shopper: 'O banco recusou o pedido. Não foi cobrado nada. Tente mais tarde ou escolha outro método.',
    en: {
      means: 'The bank answered and refused. Nothing was started; the transaction is still pending.',
      act: 'Offer the other method, or try again later. If it happens for every payment, tell the operator.',
    },
    pt: {
      means: 'O banco respondeu e recusou. Nada foi iniciado; a transação continua pendente.',
      act: 'Ofereça o outro método ou tente mais tarde. Se acontecer em todos os pagamentos, avise o operador.',
    },
  },
};
