/** Dispatches events to listeners and async iterators. */

import type { RecordingEvent, RecordingEventOf, RecordingEventType } from "../types";

type Listener = (event: RecordingEvent) => void;

export class EventEmitter implements AsyncIterable<RecordingEvent> {
  private readonly listeners = new Set<Listener>();
  private readonly endings = new Set<() => void>();
  private isClosed = false;

  on<Type extends RecordingEventType>(type: Type, listener: (event: RecordingEventOf<Type>) => void): () => void {
    return this.listen((event) => {
      if (event.type === type) {
        listener(event as RecordingEventOf<Type>);
      }
    });
  }

  emit(event: RecordingEvent): void {
    for (const listener of [...this.listeners]) {
      listener(event);
    }
  }

  /** Ends all loops over events. */
  close(): void {
    this.isClosed = true;
    for (const end of [...this.endings]) {
      end();
    }
  }

  /** Events are queued from when the loop starts, not from when it first waits. */
  [Symbol.asyncIterator](): AsyncIterator<RecordingEvent, undefined> {
    const queue: RecordingEvent[] = [];
    let wake = () => {};
    const stop = this.listen((event) => {
      queue.push(event);
      wake();
    });
    let isDone = this.isClosed;
    const finish = () => {
      isDone = true;
      stop();
      this.endings.delete(finish);
      wake();
    };
    this.endings.add(finish);
    return {
      next: async () => {
        while (queue.length === 0 && !isDone) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        const value = queue.shift();
        return value === undefined ? { done: true, value: undefined } : { done: false, value };
      },
      return: async () => {
        finish();
        return { done: true, value: undefined };
      },
    };
  }

  private listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
