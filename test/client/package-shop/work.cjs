/** What a shop does with the package, however it was loaded: `pay URL KEY`, or `verify HEADERS SECRET` of a body on standard input. */
module.exports = function work(
  { createPaymentsClient, PaymentsError },
  { verifyWebhook, WebhookVerificationError },
) {
  const read = async () => {
    const chunks = [];
    for await (const chunk of process.stdin) chunks.push(chunk);
    return Buffer.concat(chunks);
  };

  async function pay(baseUrl, apiKey) {
    const payments = createPaymentsClient({ baseUrl, apiKey });
    const { transactionId } = await payments.init({
      orderId: 'ORDER-1',
      amount: 19.99,
      storeUrl: 'https://shop.pt',
      customer: { name: 'Ana Silva', email: 'ana@shop.pt' },
      items: [{ id: 'MUG', name: 'Mug', quantity: 1, priceInCents: 1999 }],
    });
    const { success } = await payments.mbway({ transactionId, phoneNumber: '911000001' });
    const refused = await payments.mbway({ transactionId, phoneNumber: '1' }).catch((error) => error);
    for (;;) {
      const { status, paymentMethod } = await payments.status({ transactionId });
      if (status !== 'pending') {
        return {
          transactionId,
          push: success,
          status,
          paymentMethod,
          refused: refused instanceof PaymentsError && refused.code,
        };
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async function verify(headers, secret) {
    const body = await read();
    const { event, data } = await verifyWebhook(body, JSON.parse(headers), secret);
    const reason = (...call) =>
      verifyWebhook(...call).catch((error) => error instanceof WebhookVerificationError && error.code);
    const parsed = JSON.parse(body.toString());
    const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    return [
      event,
      data.id,
      await reason(parsed, JSON.parse(headers), secret),
      await reason(body, JSON.parse(headers), other),
    ];
  }

  const [what, ...given] = process.argv.slice(2);
  const print = (answer) => process.stdout.write(JSON.stringify(answer));
  const fail = (error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exitCode = 1;
  };
  (what === 'pay' ? pay(...given) : verify(...given)).then(print, fail);
};
