import { useEffect, useRef } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { CopyLink } from '#site/ui/CopyLink.tsx';

interface ShownOnceProps extends Omit<ComponentProps<typeof CopyLink>, 'ready'> {
  readonly children: ReactNode;
}

/** Something secret to be copied now, with what it is for. It gets the focus when it appears. */
export function ShownOnce({ children, ...link }: ShownOnceProps) {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => root.current?.querySelector('input')?.focus(), []);
  return (
    <div ref={root} className="stack">
      <p className="small" role="status">
        {children}
      </p>
      <CopyLink {...link} ready />
    </div>
  );
}
