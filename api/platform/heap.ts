import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const used = () => getHeapStatistics().used_heap_size;

/** V8's own collector, which Node hides unless it is asked for. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  return collect;
}

/**
 * Answers a broom for work that throws much away: called after each piece of it, it has V8 collect as soon as the heap
 * holds `mostBytes` more than after the last time. By itself V8 waits until the heap has more than doubled.
 */
export function broom(mostBytes: number): () => void {
  const collect = collector();
  let swept = used();
  return () => {
    if (used() - swept < mostBytes) return;
    collect();
    swept = used();
  };
}
