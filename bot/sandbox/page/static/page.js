// Keeps a page in step with the sandbox. What a reader typed, unfolded or looks at stays.
"use strict";

const live = document.getElementById("live");
const news = document.getElementById("news");
const came = new Map([...live.children].map((part) => [part.id, part.outerHTML]));

/** The browser's cache answers when nothing has changed: the page has an ETag. */
async function look() {
  try {
    const answer = await fetch(location.href, { cache: "no-cache" });
    if (answer.ok) take(new DOMParser().parseFromString(await answer.text(), "text/html"));
    if (news.dataset.lost) tell("");
  } catch {
    tell("The sandbox does not answer any more.", true);
  }
}

/** Put each part that has changed, and no other, in place of the old one. */
function take(page) {
  const parts = [...page.getElementById("live").children].map((part) => {
    const known = document.getElementById(part.id);
    const html = part.outerHTML;
    if (known && came.get(part.id) === html) return known;
    came.set(part.id, html);
    if (known) unfoldLike(known, part);
    return document.adoptNode(part);
  });
  parts.forEach((part, index) => {
    if (live.children[index] !== part) live.insertBefore(part, live.children[index] ?? null);
  });
  while (live.children.length > parts.length) live.lastElementChild.remove();
  document.title = page.title;
}

function unfoldLike(known, part) {
  const name = (details) => details.id || details.firstElementChild?.textContent;
  const open = new Set([...known.querySelectorAll("details[open]")].map(name));
  for (const details of part.querySelectorAll("details")) details.open ||= open.has(name(details));
}

function unfoldTarget() {
  document.getElementById(location.hash.slice(1))?.closest("details")?.setAttribute("open", "");
}

function tell(text, lost = false) {
  news.textContent = text;
  news.dataset.lost = lost ? "1" : "";
}

async function send(event) {
  event.preventDefault();
  const form = event.target;
  const other = event.submitter.getAttribute("formaction"); // of a button that re-runs a check
  const body = new URLSearchParams(new FormData(form));
  const answer = await fetch(other ?? form.action, { method: "POST", body });
  tell(answer.ok ? "" : await answer.text());
  if (answer.ok && !other) form.elements.body.value = "";
  await look();
}

async function keepLooking() {
  if (!document.hidden) await look();
  setTimeout(keepLooking, 700);
}

addEventListener("submit", send);
addEventListener("hashchange", unfoldTarget);
unfoldTarget();
setTimeout(keepLooking, 700);
