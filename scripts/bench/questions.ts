/**
 * Answers the questions of the benchmark, which started this program and ends it by disconnecting. `hello` reports that the program
 * is ready.
 */
export function answerQuestions<Question>(answer: (question: Question) => unknown, hello: unknown = 'ready') {
  process.on('message', async (question: Question) => process.send?.((await answer(question)) ?? 'done'));
  process.on('disconnect', () => process.exit());
  process.send?.(hello);
}
