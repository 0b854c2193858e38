import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const used = () => getHeapStatistics().used_heap_size;

/** V8's garbage collector, which Node exposes only with a flag. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  return collect;
}

/**
 * Returns a function to call after each step of work that allocates a lot: it collects garbage once the heap has grown by
 * `maxBytes` since the last time. On its own, V8 waits until the heap has more than doubled.
 */
export function heapCollector(maxBytes: number): () => void {
  const collect = collector();
  let last = used();
  return () => {
    if (used() - last < maxBytes) return;
    collect();
    last = used();
  };
}
