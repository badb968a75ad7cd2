// Makes times relative, refreshes what is live, replaces states whose evidence has expired, and lets "/" focus the search. Pages work without it.
(() => {
  const language = document.documentElement.lang || 'en';
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const UNITS = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
    ['second', 1],
  ];
  const OLDEST_DAYS = 30;
  const REFRESH_MS = 30_000;

  function textOf(time) {
    const seconds = (Date.parse(time.dateTime) - Date.now()) / 1_000;
    if (Math.abs(seconds) > OLDEST_DAYS * 86_400) return null;
    const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) || UNITS[UNITS.length - 1];
    return relative.format(Math.trunc(seconds / length), unit);
  }

  function showTimes() {
    for (const time of document.querySelectorAll('time[data-relative]')) {
      if (!time.title) time.title = time.textContent;
      time.textContent = textOf(time) || time.title;
    }
  }

  async function refresh() {
    const live = document.querySelectorAll('[data-live]');
    if (document.hidden || live.length === 0) return;
    // The browser asks with the tag of the copy that it has.
    const response = await fetch(location.href, { cache: 'no-cache', headers: { Accept: 'text/html' } });
    if (!response.ok) return;
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
    const mine = [...live].map((part) => part.id).join();
    const theirs = [...fresh.querySelectorAll('[data-live]')].map((part) => part.id).join();
    // A part has come or gone, so its neighbours cannot be told apart.
    if (mine !== theirs) {
      if (!isUsed()) location.reload();
      return;
    }
    for (const part of live) replace(part, fresh.getElementById(part.id));
    const copy = document.getElementById('copy');
    if (copy !== null) replace(copy, fresh.getElementById('copy'));
    refreshIcon(fresh);
    show();
  }

  const STATES = ['operational', 'degraded', 'outage', 'maintenance'];

  // A copy of the site cannot ask what the state is now. If nobody makes a new one, it must not look current.
  function expire() {
    for (const part of document.querySelectorAll('[data-until]')) {
      if (Date.parse(part.dataset.until) > Date.now()) continue;
      part.classList.remove(...STATES);
      part.classList.add('unknown');
      for (const icon of part.querySelectorAll('.icon')) icon.remove();
      const words = part.dataset.expired ? part : part.querySelector('h1[data-expired]');
      if (words !== null) words.textContent = words.dataset.expired;
      if (part.dataset.state) forget(part);
      delete part.dataset.until;
    }
  }

  function forget(banner) {
    banner.dataset.state = 'unknown';
    const icon = document.querySelector('link[rel=icon]');
    // It shows the state. Without it, browsers show a neutral icon.
    if (icon !== null) icon.remove();
  }

  function show() {
    showTimes();
    expire();
  }

  function isUsed() {
    return document.activeElement !== null && document.activeElement !== document.body;
  }

  function replace(part, other) {
    if (other === null || part.contains(document.activeElement)) return;
    const copy = document.importNode(other, true);
    if (copy.innerHTML !== part.dataset.html && copy.innerHTML !== part.innerHTML) part.replaceWith(copy);
  }

  function refreshIcon(fresh) {
    const state = fresh.querySelector('[data-state]');
    const icon = document.querySelector('link[rel=icon]');
    if (state !== null && icon !== null) icon.href = `${icon.href.split('?')[0]}?state=${state.dataset.state}`;
  }

  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]') !== null;
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
    const search = document.querySelector('input[type=search]');
    if (search === null) return;
    event.preventDefault();
    search.focus();
  });

  const run = () => {
    refresh().catch(() => undefined);
  };
  show();
  setInterval(show, REFRESH_MS);
  setInterval(run, REFRESH_MS);
  document.addEventListener('visibilitychange', run);
})();
