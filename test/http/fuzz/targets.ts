import fc from 'fast-check';

/** Splits a list at its white space. */
const words = (list: string) => list.trim().split(/\s+/);

const QUERIES = words(`
  transactionId transactionId= transactionId=TX&transactionId=TX transactionId[]=TX transactionId[a]=TX
  transactionId=%00 transactionId=%zz transactionId=%ff%fe transactionId=%ED%A0%80 transactionid=TX
  transactionId=TX&__proto__=1&constructor=2 __proto__[x]=1&transactionId=TX transactionId=TX%20 &&=&=&
  input= input={ input=%7B%7D input=null input=%5B%5D input=%22TX%22 input=1&input=2 input=%zz input=%ff
  batch=1 batch=1&input=%7B%220%22%3A%7B%7D%7D input=%7B%22transactionId%22%3A%22TX%22%7D&batch=1
  input=%7B%22transactionId%22%3A7%7D input=%7B%22__proto__%22%3A%7B%22transactionId%22%3A%22TX%22%7D%7D
  key=AP key=ap key=AP&key=x key=%41P key=AP&x=%ff%ED%A0%80 key=AP&orderId=%F0%9F%A7%A1 connectionParams=1
  orderId=ABC&amount=12.50&key=AP&requestId=a+b key=AP&amount=1e999&orderId=%00 key=AP&__proto__=1&constructor=2
  sessionId=TX sessionId= sessionId=TX&sessionId=TX sessionId[]=TX sessionId=%00 lang=en lang=%00 lang[]=pt problem=amount
  key=AP&amount=-1&payment_datetime=x&status=[STATUS]
`);

/** Queries; in them `TX` stands for a transaction's id, `AP` for the bank's key. */
export const queries = fc.oneof(
  fc.constantFrom('', `transactionId=${'t'.repeat(9000)}`, `key=AP&x=${'y'.repeat(9000)}`, ...QUERIES),
  fc
    .array(
      fc.tuple(
        fc.constantFrom('transactionId', 'input', 'key', 'orderId', 'amount', 'x'),
        fc.string({ unit: 'binary' }),
      ),
      { maxLength: 4 },
    )
    .map((pairs) =>
      pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&'),
    ),
  fc.json({ maxDepth: 3 }).map((json) => `input=${encodeURIComponent(json.toWellFormed())}`),
  fc.string({ unit: fc.constantFrom(...'abz=&%?+;[]._-/\\{}"0189') }),
);

const PATHS = words(`
  /api/v1 /api/v1/ /api/v1/payments /api/v1/payments/init/ /api/v1//payments/init /API/V1/payments/init
  /api/v1/payments/%69nit /api/v1/payments/init%2f /api/v1/payments/.. /api/v1/../trpc/payments.init /%zz
  /api/v1/payments/init%00 /api/v1/payments/init;x /api/v1/payments/__proto__ /api/v2/payments/init // /.
  /trpc /trpc/ /trpc/payments /trpc/payments.init,payments.init /trpc/payments.__proto__ /trpc/constructor
  /trpc/payments.init/ /trpc/payments%2Einit /trpc/payments.nothing /trpc/%FF /trpc/init /api%2fv1/payments/init
  http://h/api/v1/payments/init https://h http://h:99999/trpc/payments.init * api/v1/payments/init /callbacks
  /callbacks/ifthenpay/ /callbacks/eupago /callbacks/eupago/ /callbacks/other /healthz /docs /docs/ /docs/assets/ /docs/assets/../package.json
  /docs/assets/%2e%2e/package.json /docs/assets/swagger-ui.css /api/v1/openapi.json /control/mbway /backoffice
  /checkout/v1 /checkout/v1/ /checkout/v1/sessions/ /checkout/v1/sessions/x /checkout/v1/%73essions /CHECKOUT/v1/sessions
  /checkout/v1/openapi.json /trpc/checkout.createSession,payments.init /trpc/checkout /pay /pay/ /pay/l /pay/l/ /pay/%00 /pay/%zz
  /pay/assets/ /pay/assets/../page.css /pay/assets/logo/x /pay//status /pay/__proto__ /pay/l/__proto__
`);

export const paths = fc.oneof(
  fc.constantFrom(...PATHS),
  fc.webPath().map((path) => `/api/v1${path}`),
  fc.webPath().map((path) => `/trpc${path}`),
  fc.webPath().map((path) => `/checkout/v1${path}`),
  fc.webPath().map((path) => `/pay${path}`),
  fc.webPath().map((path) => path || '/'),
);
