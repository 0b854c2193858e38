import type { User } from '#contract/account.ts';
import { iso } from '#platform/clock.ts';
import type { UserModel } from './user.model.ts';

/** An account as its owner sees it. */
export function presentUser(user: UserModel): User {
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    firstName: user.first_name,
    lastName: user.last_name,
    profileImageUrl: user.profile_image_url,
    createdAt: iso(user.created_at),
    updatedAt: iso(user.updated_at),
  };
}
