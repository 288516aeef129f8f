export { isLoopback, isProtectedUrl, protectedOrigin } from './protected-url.js';
