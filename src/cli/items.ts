/** Items as one JSON array, written as they come. */
export async function* asArray(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let lead = '[';
  for await (const item of items) {
    yield lead + JSON.stringify(item);
    lead = ',\n';
  }
  yield lead === '[' ? '[]\n' : ']\n';
}

/** Items as lines of JSON, one each. */
export async function* asLines(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const item of items) yield `${JSON.stringify(item)}\n`;
}
