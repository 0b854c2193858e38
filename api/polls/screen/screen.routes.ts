import type { EndpointRouter } from '#platform/endpoint-router.ts';
import type { MountGuarded } from '#platform/operator.ts';
import { communityScreen, weeklyScreen } from './screen.service.ts';
import type { ScreenContext } from './screen.service.ts';

/** The endpoints that screens ask. */
export function mountScreens(router: EndpointRouter, guarded: MountGuarded, context: ScreenContext): void {
  guarded('pollScreen', ({ params }) => weeklyScreen(context, params.id));
  router.mount('communityScreen', ({ params, userId }) => communityScreen(context, params.id, userId));
}
