import type { EndpointName, ResponseOf } from '#api/endpoints.contract.ts';
import type { OperatorRole } from '#contract/vocabulary.ts';
import type { Call, EndpointRouter, JsonText } from './endpoint-router.ts';

/** Who calls an admin endpoint. */
export interface Operator {
  /** The member’s id; null for the shared password. */
  readonly id: string | null;
  /** As logs name them. */
  readonly name: string;
  readonly role: OperatorRole;
  /** A program with an API token calls. */
  readonly isToken?: true;
}

/** A handler of an admin endpoint. */
export type OperatorHandler<N extends EndpointName> = (
  call: Call<N> & { readonly operator: Operator },
) => Promise<ResponseOf<N> | JsonText>;

/** Mounts an endpoint that only operators with its permission may call. */
export type MountGuarded = <N extends EndpointName>(
  name: N,
  handler: OperatorHandler<N>,
  options?: { readonly normalize?: (body: unknown) => unknown },
) => EndpointRouter;
