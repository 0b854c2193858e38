import { useEffect, useId, useRef } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { CopyLink } from './CopyLink.tsx';

interface ShownOnceProps extends Omit<ComponentProps<typeof CopyLink>, 'ready' | 'describedBy'> {
  readonly children: ReactNode;
}

/** Something secret to be copied now, with what it is for. It gets the focus when it appears. */
export function ShownOnce({ children, ...link }: ShownOnceProps) {
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => root.current?.querySelector('input')?.focus(), []);
  return (
    <div ref={root} className="stack">
      <p id={id} className="small">
        {children}
      </p>
      <CopyLink {...link} describedBy={id} ready />
    </div>
  );
}
