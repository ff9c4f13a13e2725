" Colours of command streams as text (gts(5)) in Vim. Installed as syntax/gts.vim; ftdetect/gts.vim has it for *.gts.
if exists('b:current_syntax')
    finish
endif
syn case match
syn match gtsLabel /\<\h\w*:\ze\s*$/
syn match gtsCommand /\<\u[A-Z0-9]*_\w*\>/
syn match gtsRegister /\<\l\+\d*\.\u\w*\%(\[\d\+\]\)\?\%(_UDW\)\?/
syn match gtsReference /&\h\w*\%(\.\h\w*\)*/
syn match gtsNumber /\<\%(0x[0-9a-fA-F_]\+\|0b[01_]\+\|\d[0-9_]*\%(\.\d\+\)\?[KMG]\?\)\>/
syn keyword gtsStatement device let ppgtt map data batch context ring append submit write read say run advance wait reset mark expect ignore repeat tolerate error draws
syn keyword gtsWord mem at in to size page as within budget ggtt phys local levels id image control descriptor head wrap interrupts faults count state status
syn region gtsString start=/"/ skip=/\\./ end=/"/
syn match gtsComment /#.*$/ contains=@Spell
hi def link gtsLabel Label
hi def link gtsCommand Function
hi def link gtsRegister Identifier
hi def link gtsReference Special
hi def link gtsNumber Number
hi def link gtsStatement Statement
hi def link gtsWord Keyword
hi def link gtsString String
hi def link gtsComment Comment
let b:current_syntax = 'gts'
