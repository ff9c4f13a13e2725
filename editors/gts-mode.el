;;; gts-mode.el --- command streams as text (gts(5)) -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:
;; Colours, comments and indentation of .gts files, which softgt runs.

;;; Code:

(defconst gts-statements
  '("device" "let" "ppgtt" "map" "data" "batch" "context" "ring" "append" "submit" "write" "read" "say" "run" "advance" "wait" "reset" "mark" "expect" "ignore" "repeat" "tolerate" "error" "draws")
  "Words that begin a statement.")

(defconst gts-words
  '("mem" "at" "in" "to" "size" "page" "as" "within" "budget" "ggtt" "phys" "local" "levels" "id" "image" "control" "descriptor" "head" "wrap" "interrupts" "faults" "count" "state" "status")
  "Words within a statement.")

(defconst gts-font-lock-keywords
  `(("^[ \t]*\\([A-Za-z_][A-Za-z0-9_]*\\):[ \t]*$" 1 font-lock-constant-face)
    ("\\_<[A-Z][A-Z0-9]*_[A-Za-z0-9_]*\\_>" . font-lock-function-name-face)
    ("\\<[a-z]+[0-9]*\\.[A-Z][A-Za-z0-9_]*\\(\\[[0-9]+\\]\\)?" . font-lock-variable-name-face)
    ("&[A-Za-z_][A-Za-z0-9_.]*" . font-lock-type-face)
    (,(regexp-opt gts-statements 'symbols) . font-lock-keyword-face)
    (,(regexp-opt gts-words 'symbols) . font-lock-builtin-face)
    ("\\_<\\(0x[0-9a-fA-F_]+\\|0b[01_]+\\|[0-9][0-9_]*\\(\\.[0-9]+\\)?[KMG]?\\)\\_>" . font-lock-constant-face))
  "What `gts-mode' colours.")

(defvar gts-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?# "<" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?& "." table)
    table)
  "Syntax of `gts-mode'.")

(defun gts-indent-line ()
  "Indent by four columns a brace; lines that continue a command stay further in."
  (interactive)
  (let* ((depth (save-excursion (car (syntax-ppss (line-beginning-position)))))
         (closes (save-excursion (back-to-indentation) (looking-at "[]})]")))
         (column (* 4 (max 0 (if closes (1- depth) depth))))
         (column (if closes column (max column (current-indentation)))))
    (if (<= (current-column) (current-indentation))
        (indent-line-to column)
      (save-excursion (indent-line-to column)))))

;;;###autoload
(define-derived-mode gts-mode prog-mode "gts"
  "Major mode for command streams as text, which softgt runs."
  (setq-local comment-start "# "
              comment-start-skip "#+ *"
              indent-line-function #'gts-indent-line
              font-lock-defaults '(gts-font-lock-keywords)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.gts\\'" . gts-mode))

(provide 'gts-mode)
;;; gts-mode.el ends here
