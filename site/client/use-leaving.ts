import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { useAuth } from './auth.tsx';
import { signedOutHere } from './session.ts';

/** Leads a member who signs out on a page for members home; true on the way there. `onLeave` must keep its identity. */
export function useLeaving(onLeave: () => void): boolean {
  const { status } = useAuth();
  const leaving = useStore(signedOutHere) && status === 'signed-out';

  useEffect(() => {
    if (!leaving) return;
    onLeave();
    location.replace('/');
  }, [leaving, onLeave]);

  return leaving;
}
