export { Batcher, DeadlinePassed, type Batching } from './batcher.js';
