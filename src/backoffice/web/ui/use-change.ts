import { useMutation } from '@tanstack/react-query';
import type { DecorateMutationProcedure, ResolverDef } from '@trpc/tanstack-react-query';
import { queryClient, type RouterOutputs } from '../lib/trpc.ts';
import { notifyDone, notifyFault } from './notify.ts';

interface Options<TDef extends ResolverDef> {
  /** The notification after a success. */
  readonly done?: string | ((input: TDef['input'], output: TDef['output']) => string);
  /** Shows an error in a notification, where no form and no dialog shows it. */
  readonly notifies?: boolean;
  /** Other routers whose queries change. */
  readonly also?: readonly (keyof RouterOutputs)[];
}

/** A mutation that, before it resolves, reloads the queries of its router and reports its success. */
export function useChange<TDef extends ResolverDef>(
  procedure: DecorateMutationProcedure<TDef>,
  { done, notifies = false, also = [] }: Options<TDef> = {},
) {
  return useMutation(
    procedure.mutationOptions({
      async onSettled(output, error, input) {
        const routers = new Set([procedure.mutationKey()[0][0], ...also]);
        await Promise.all(
          [...routers].map((router) => queryClient.invalidateQueries({ queryKey: [[router]] })),
        );
        if (error !== null && notifies) notifyFault(error);
        if (error !== null || done === undefined) return;
        notifyDone(typeof done === 'string' ? done : done(input, output));
      },
    }),
  );
}
