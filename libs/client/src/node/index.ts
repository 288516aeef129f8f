export { FileSessionStore } from './file-session-store.js';
