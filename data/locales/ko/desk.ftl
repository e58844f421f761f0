# 데스크: 채팅으로 로그인하기와 프로그램의 토큰.

help-desk = 브라우저에서 데스크를 열어요. 이곳의 모든 설정을 자기 권한으로 할 수 있어요.
desk-link = 10분 안에 이 주소를 열면 브라우저에서 관리할 수 있어요. 혼자만 쓰는 주소이고 한 번만 열려요: { $address }
desk-link-local = 10분 안에 봇이 실행되는 컴퓨터에서 이 주소를 여세요. 혼자만 쓰는 주소이고 한 번만 열려요: { $address }
desk-elsewhere = { $address } 주소를 열고 로그인하세요. 페이지에 나오는 코드를 여기에서 !desk 뒤에 입력하면 돼요.
desk-opened = { $code } 코드를 보여 준 브라우저가 이제 내 권한으로 데스크를 써요. 내 브라우저가 아니면 그곳에서 모두 로그아웃하세요.
desk-code-unknown = 그런 코드가 없거나 시간이 지났어요. 내 데스크 페이지에 나오는 코드를 입력하세요.
desk-closed = 여기에는 데스크가 없어요. chatbot run으로 봇을 시작하세요.
desk-here = 대신 이 브라우저에서 /desk를 열고 로그인하세요.
option-desk-code = 페이지에 나오는 여섯 글자
token-scopes = 토큰에는 다음 권한 가운데 적어도 하나가 필요해요: { $known }.
token-label = 토큰 이름을 { $most }자 안으로 지어 주세요.
token-most = 토큰이 이미 { $most }개 있어요. 먼저 하나를 취소하세요.
not-heard = 지금은 봇이 듣고 있지 않거나 요청이 너무 많아요. 바뀐 것은 없으니 잠시 뒤에 다시 해 보세요.
key-in-use = 이 Idempotency-Key로 보낸 첫 요청을 아직 처리하고 있어요.
key-of-another = 이 Idempotency-Key는 다른 요청에 이미 쓰였어요.
answer-lost = 이 Idempotency-Key로 이미 요청했지만 답이 남아 있지 않아요. 처리되었는지 확인하세요.
token-lacks = 이 토큰에는 { $scope } 권한이 없어요.
token-unknown = 여기에는 그런 토큰이 없어요.
